interface AttachmentNameProps {
  name: string;
  /** Its first lines. */
  preview?: string | undefined;
}

/** The name of a file, and under it how its text begins. */
export function AttachmentName({ name, preview }: AttachmentNameProps) {
  return (
    <span className="attachment-name untrusted">
      <span>{name}</span>
      {preview !== undefined && preview !== '' && <span className="quiet">{preview}</span>}
    </span>
  );
}
