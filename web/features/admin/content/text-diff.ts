/** What differs between two texts, by paragraphs and in changed paragraphs by words. */

export interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The paragraphs of both texts in one order; a changed paragraph is divided into its words. */
export type Diff = readonly (readonly DiffPart[])[]

/** Beyond this many pairs to compare, everything in between counts as replaced. */
const MOST_PAIRS = 4_000_000

/** The longest common subsequence as a list of parts, one per item. */
function compare(before: readonly string[], after: readonly string[]): DiffPart[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const same = (items: readonly string[]) => items.map((text): DiffPart => ({ kind: 'same', text }))
  return [...same(before.slice(0, start)), ...compareMiddle(a, b), ...same(before.slice(before.length - end))]
}

function compareMiddle(a: readonly string[], b: readonly string[]): DiffPart[] {
  const removed = a.map((text): DiffPart => ({ kind: 'removed', text }))
  const added = b.map((text): DiffPart => ({ kind: 'added', text }))
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST_PAIRS) return [...removed, ...added]
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: 'same', text: a[i] ?? '' })
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) parts.push(removed[i++] as DiffPart)
    else parts.push(added[j++] as DiffPart)
  }
  return parts
}

/** Words with the space after them. */
const splitWords = (text: string): string[] => text.match(/\S+\s*/g) ?? []

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const all: DiffPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else all.push({ ...part })
  }
  return all
}

/** Compares two texts given as paragraphs. */
export function compareTexts(before: readonly string[], after: readonly string[]): Diff {
  const parts = compare(before, after)
  const shown: DiffPart[][] = []
  for (let at = 0; at < parts.length; ) {
    if (parts[at]?.kind === 'same') {
      shown.push([parts[at] as DiffPart])
      at++
      continue
    }
    const run: DiffPart[] = []
    while (at < parts.length && parts[at]?.kind !== 'same') run.push(parts[at++] as DiffPart)
    const [removed, come] = (['removed', 'added'] as const).map((kind) => run.filter((part) => part.kind === kind))
    for (let n = 0; n < Math.max(removed?.length ?? 0, come?.length ?? 0); n++) {
      const [was, is] = [removed?.[n], come?.[n]]
      shown.push(was && is ? joined(compare(splitWords(was.text), splitWords(is.text))) : [was ?? is ?? { kind: 'same', text: '' }])
    }
  }
  return shown
}

/** Whether a comparison found nothing. */
export const isSameText = (diff: Diff): boolean => diff.every((parts) => parts.every(({ kind }) => kind === 'same'))
