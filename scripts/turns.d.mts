export const TURNS: number
/** 1 to TURNS; `number` of commits up to this one, null when it is unknown. */
export function turnOf(commit: string, number: number | null): number
export function phaseOf(name: string): number
