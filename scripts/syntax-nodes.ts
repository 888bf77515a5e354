/** The syntax tree of a source file, as the scripts about its texts walk it. */
import { parseSync } from 'vite'

export interface SyntaxNode {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

export const isSyntaxNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** The statements of a file; throws with its name where it cannot be parsed. */
export function parseStatements(file: string, source: string): SyntaxNode[] {
  const { program, errors } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program.body as unknown as SyntaxNode[]
}

export function* childNodes(node: SyntaxNode): Iterable<SyntaxNode> {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const child of Array.isArray(value) ? value : [value]) if (isSyntaxNode(child)) yield child
  }
}
