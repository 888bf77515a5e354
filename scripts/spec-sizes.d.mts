export const AT_BOTH_SIZES: readonly string[]
export function specsNotAt(size: 'phone' | 'desktop', oneSize: 'phone' | 'desktop' | null, files: readonly string[]): string[]
