/** What a key does on the week strip: selects a day by index, changes the week, or nothing (null). */
export function dayByKey(key: string, at: number, days: number): { day: number } | { weeks: -1 | 1 } | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return { day: (at - 1 + days) % days }
    case 'ArrowRight':
    case 'ArrowDown':
      return { day: (at + 1) % days }
    case 'Home':
      return { day: 0 }
    case 'End':
      return { day: days - 1 }
    case 'PageUp':
      return { weeks: -1 }
    case 'PageDown':
      return { weeks: 1 }
    default:
      return null
  }
}
