import type { Network, SubmitRequest, TransactionItem } from '../../../../sdk/src/generated/types.ts';
import type { FieldPlaces } from '../../forms/fieldErrors.ts';
import { numberMember } from '../../forms/number.ts';
import { toSmallestUnits } from '../../lib/units.ts';

const units = { ether: 18, gwei: 9, wei: 0 } as const;
type Unit = keyof typeof units;
export const unitNames = ['ether', 'gwei', 'wei'] as const;

/** A transaction as it was typed. */
export interface ItemForm {
  /** Stays the same while others are added and removed. */
  key: number;
  to: string;
  value: string;
  unit: Unit;
  data: string;
  gasLimit: string;
  maxFee: string;
  tip: string;
}

export function emptyItem(key: number): ItemForm {
  return { key, to: '', value: '0', unit: 'ether', data: '', gasLimit: '', maxFee: '', tip: '' };
}

/** The wei of an amount, exactly; undefined for anything but an amount. */
export function weiOf({ value, unit }: Pick<ItemForm, 'value' | 'unit'>): string | undefined {
  return toSmallestUnits(value.trim() || '0', units[unit]);
}

/** The request body. What is empty is left out; anything but a number is sent as it is, and refused at its place. */
export function toBody(items: readonly ItemForm[], networks: readonly Pick<Network, 'id'>[]): SubmitRequest {
  const transactions = items.map(toItem);
  return { transactions_by_network: Object.fromEntries(networks.map(({ id }) => [id, transactions])) };
}

function toItem(item: ItemForm): TransactionItem {
  return {
    ...text('to', item.to),
    value: weiOf(item) ?? item.value,
    ...text('data', item.data),
    ...numberMember('gas_limit', item.gasLimit),
    ...text('max_fee_per_gas', gweiOf(item.maxFee)),
    ...text('max_priority_fee_per_gas', gweiOf(item.tip)),
  };
}

const gweiOf = (fee: string) => (fee.trim() === '' ? '' : (toSmallestUnits(fee, units.gwei) ?? fee.trim()));

function text<Name extends string>(name: Name, value: string): { [name in Name]?: string } {
  return value.trim() === '' ? {} : ({ [name]: value.trim() } as { [name in Name]?: string });
}

/** Where the form has what a path of the request body is about. */
export const places: FieldPlaces = [
  [/^transactions_by_network\.[^.[]+\[(\d+)\]\.(\w+)/, '$1.$2'],
  [/^transactions_by_network\.[^.[]+\.(\d+)\.(\w+)/, '$1.$2'],
];
