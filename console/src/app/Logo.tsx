import icon from '../../icon.svg';

export function Logo() {
  return <img src={icon} width={28} height={28} alt="" />;
}
