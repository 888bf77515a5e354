/** Replaces `Date` of a global object by one that is `shift` milliseconds ahead of the true time. */
export function shiftClock(shift: number, scope?: typeof globalThis): void
