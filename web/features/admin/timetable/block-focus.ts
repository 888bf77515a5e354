/** Where the arrow keys go between the classes of a grid: by what is on the screen, so that it holds in every view. */

const blocksIn = (root: ParentNode): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-class]')]
const columnOf = (block: Element): number => Number(block.closest<HTMLElement>('[data-col]')?.dataset.col ?? -1)
const middleOf = (block: Element): number => {
  const { top, height } = block.getBoundingClientRect()
  return top + height / 2
}

/** The block that an arrow key leads to; null at the edge. */
export function blockAt(root: ParentNode, from: HTMLElement, key: string): HTMLElement | null {
  const [here, middle] = [columnOf(from), middleOf(from)]
  const all = blocksIn(root)
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const own = all.filter((block) => columnOf(block) === here).sort((a, b) => middleOf(a) - middleOf(b))
    return own[own.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)] ?? null
  }
  const by = key === 'ArrowRight' ? 1 : -1
  const beyond = all.filter((block) => Math.sign(columnOf(block) - here) === by)
  const next = beyond.reduce((nearest, block) => Math.min(nearest, Math.abs(columnOf(block) - here)), Number.POSITIVE_INFINITY)
  return (
    beyond
      .filter((block) => Math.abs(columnOf(block) - here) === next)
      .sort((a, b) => Math.abs(middleOf(a) - middle) - Math.abs(middleOf(b) - middle))[0] ?? null
  )
}

/** Focuses a class by its key. False when it is not on the screen. */
export function focusBlock(root: ParentNode | null, key: string): boolean {
  const block = root?.querySelector<HTMLElement>(`[data-class="${CSS.escape(key)}"]`)
  block?.focus()
  block?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return block !== null && block !== undefined
}
