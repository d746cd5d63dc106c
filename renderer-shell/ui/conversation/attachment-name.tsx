interface AttachmentNameProps {
  name: string;
  /** Its first lines. */
  preview?: string | undefined;
}

/** Shows the name of a file, and the beginning of its text below it. */
export function AttachmentName({ name, preview }: AttachmentNameProps) {
  return (
    <span className="attachment-name untrusted">
      <span>{name}</span>
      {preview !== undefined && preview !== '' && <span className="quiet">{preview}</span>}
    </span>
  );
}
