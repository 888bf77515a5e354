export function deleteOlderSnapshots(folder: string): void
