import { decodeValues } from '../../../../core/abi/decode.ts';
import { type Abi, type Decoded, interfaceOf, shownAll, tried } from './abi.ts';

const wordDigits = 64;
/** Arguments are few: of longer ones, the code alone is shown. */
const maxWords = 64;

/**
 * The arguments of a constructor, which stand after the code: the shortest end of the input that is exactly what they encode to.
 * Undefined without arguments, and where none fits.
 */
export function decodeCreation(input: string, abi: Abi | undefined): Decoded | undefined {
  const own = abi && interfaceOf(abi);
  const inputs = own?.deploy.inputs ?? [];
  if (!own || inputs.length === 0) return undefined;
  for (let words = inputs.length; words <= maxWords; words += 1) {
    const end = `0x${input.slice(-words * wordDigits)}`;
    const values = end.length < input.length ? decodeValues(inputs, end) : undefined;
    if (values && tried(() => own.encodeDeploy([...values])) === end.toLowerCase()) {
      const signature = `constructor(${inputs.map((one) => one.format('sighash')).join(',')})`;
      return { name: 'constructor', signature, values: shownAll(inputs, values), isGuess: false };
    }
  }
  return undefined;
}
