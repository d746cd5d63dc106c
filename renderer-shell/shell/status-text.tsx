interface StatusTextProps {
  text: string;
  /** A longer text for the tooltip. */
  more?: string | undefined;
}

/** A text of the status bar: truncated if space is short, with the full text in its tooltip. */
export const StatusText = ({ text, more }: StatusTextProps) => (
  <span title={more === undefined ? text : `${text}: ${more}`}>{text}</span>
);
