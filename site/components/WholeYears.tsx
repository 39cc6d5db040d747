const YEAR = /((?:19|20)\d{2}[-–]\d{2,4})/;

/** A text that wraps, but not at the hyphen of a year such as `2025-26`. */
export const WholeYears = ({ text }: { text: string }) =>
  // Every second part is what the group matched.
  text.split(YEAR).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
