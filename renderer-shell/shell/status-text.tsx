interface StatusTextProps {
  text: string;
  /** A longer text for the tooltip. */
  more?: string | undefined;
}

/** A text of the status bar: shortened where there is no space, and whole in its title. */
export const StatusText = ({ text, more }: StatusTextProps) => (
  <span title={more === undefined ? text : `${text}: ${more}`}>{text}</span>
);
