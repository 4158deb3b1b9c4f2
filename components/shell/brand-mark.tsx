/** A holdfast: the root with which kelp keeps its place. */
export function BrandMark() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 20 20"
      className="size-5 text-brand"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
    >
      <path d="M10 2v9" />
      <path d="M10 5c-2 0-3-1-3-2.5M10 7.5c2 0 3-1 3-2.5" />
      <path d="M10 11c0 3-2 4-5 4.5M10 11c0 3 2 4 5 4.5M10 11c0 3-.8 5-2.2 7M10 11c0 3 .8 5 2.2 7" />
    </svg>
  );
}
