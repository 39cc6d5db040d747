const YEAR = /((?:FY )?(?:19|20)\d{2}[-–]\d{2,4})/;

/** A text that wraps, but not in a year such as `FY 2025-26`, which browsers would break after its hyphen. */
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
