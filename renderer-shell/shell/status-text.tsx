interface StatusTextProps {
  text: string;
  /** What the pointer is told besides. */
  more?: string | undefined;
}

/** A text of the status bar: shortened where there is no space, and whole in its title. */
export const StatusText = ({ text, more }: StatusTextProps) => (
  <span title={more === undefined ? text : `${text}: ${more}`}>{text}</span>
);
