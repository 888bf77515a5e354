export function keepNewestSnapshot(folder: string): void
