export type MoonProps = { phase: number };

export function Moon({ phase }: MoonProps) {
  return <meter className="moon" min={0} max={1} value={phase} />;
}
