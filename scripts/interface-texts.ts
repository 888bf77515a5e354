/**
 * The texts of the interface, found in the source: every piece of JSX text, and every string and template that reads like
 * words. The English build replaces them (english-build.ts), the check compares them with the catalogues of web/english.
 */
import { childNodes, isSyntaxNode, parseStatements, type SyntaxNode } from './syntax-nodes.ts'

/** One text in a file: the range from `start` to `end` is replaced as a whole. */
export interface FoundText {
  /** The Spanish text; `{0}`, `{1}` are its expressions and elements, in order. */
  text: string
  start: number
  end: number
  kind: 'jsx' | 'attribute' | 'string' | 'template'
  /** The source of the placeholders. */
  parts: readonly { start: number; end: number }[]
}

/** Attributes whose strings are never read by a person. */
const CODE_ATTRIBUTES =
  /^(?:className|\w*[cC]lass|id|htmlFor|href|to|src|rel|type|name|autoComplete|inputMode|role|key|d|viewBox|fill|stroke|style|method|action|target|as|sizes|media|crossOrigin|http-?[eE]quiv|property|pattern|enterKeyHint|transform|variant|tone|slot|data-.*|aria-(?:live|controls|labelledby|describedby|current|haspopup|sort|orientation|autocomplete))$/
/** Calls whose strings are selectors, keys and the like. */
const CODE_CALLS =
  /^(?:import|require|querySelector(?:All)?|closest|matches|matchMedia|addEventListener|removeEventListener|getElementById|getItem|setItem|removeItem|lazy|cx|buttonClass|useMedia|postMessage|fetch|setProperty|getPropertyValue|setAttribute|createElement|toggle|add|remove|contains|startsWith|endsWith|dispatchEvent|CustomEvent|Event|RegExp|replace|replaceAll|split|join|includes|indexOf|getAttribute|removeAttribute|hasAttribute)$/

/** Keys of objects whose strings are never read by a person. */
const CODE_KEYS =
  /^(?:className|class|id|href|to|path|url|key|type|variant|tone|icon|queryKey|rel|timeZone|numberingSystem|method|mode|credentials|cache)$/

/** Whether a string reads like words: a capital or an accent, or several words. Strings of code (paths, keys, class names) do not. */
export function readsLikeWords(text: string): boolean {
  if (!/\p{L}{2}/u.test(text.replace(/\{\d+\}/g, ''))) return false
  if (/^[/#.?&@*]|^https?:|^[\w-]+\/[\w-]|^data:|^\(|^--|^var\(|^rgb|^[A-Z][A-Z0-9_]+$|=>|\bcalc\(|;$/.test(text)) return false
  if (/^[a-z][\w]*[A-Z]\w*$/.test(text)) return false
  return /[^\x20-\x7e]/.test(text.replace(/[·–—…]/g, '')) || /^\{?[A-ZÁÉÍÓÚÑ¿¡]/.test(text) || / /.test(text.trim())
}

/** JSX text as React shows it: lines are trimmed and joined by a blank. */
function shownText(raw: string): string {
  const lines = raw.split(/\r?\n/)
  return lines
    .map((line, at) => {
      const left = at === 0 ? line : line.replace(/^[ \t]+/, '')
      return at === lines.length - 1 ? left : left.replace(/[ \t]+$/, '')
    })
    .filter((line) => line !== '')
    .join(' ')
}

const ENTITIES: Record<string, string> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', middot: '·' }
const decoded = (text: string) => text.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)

const calleeName = (node: SyntaxNode): string => {
  const callee = node.callee
  if (!isSyntaxNode(callee)) return ''
  if (callee.type === 'Identifier') return String(callee.name)
  const property = callee.type === 'MemberExpression' && isSyntaxNode(callee.property) ? callee.property : null
  return property ? String(property.name ?? '') : callee.type === 'Import' ? 'import' : ''
}

interface Where {
  attribute: string | null
  /** Inside what no person reads. */
  code: boolean
}

/** Every text of a file. `own`: its words that are found at any position, also single lower-case ones. */
export function interfaceTexts(file: string, source: string, own: Readonly<Record<string, string>> = {}): FoundText[] {
  const statements = parseStatements(file, source)
  const found: FoundText[] = []
  const isOwn = (text: string) => Object.hasOwn(own, text)
  const isText = (text: string, code: boolean) => isOwn(text) || (!code && readsLikeWords(text))

  /** The children of one element are one text when any of them is text, so that a translation can order them anew. */
  const jsxChildren = (list: readonly SyntaxNode[], where: Where) => {
    let text = ''
    let hasText = false
    const parts: SyntaxNode[] = []
    const first = list.findIndex((node) => node.type !== 'JSXText' || shownText(decoded(String(node.value))).trim() !== '')
    for (const node of list) {
      const inner = node.type === 'JSXExpressionContainer' && isSyntaxNode(node.expression) ? node.expression : null
      if (node.type === 'JSXText') {
        const shown = shownText(decoded(String(node.raw ?? node.value)))
        if (/\p{L}{2}/u.test(shown)) hasText = true
        text += shown
      } else if (inner?.type === 'JSXEmptyExpression') continue
      else if (inner?.type === 'Literal' && typeof inner.value === 'string') {
        if (/\p{L}{2}/u.test(inner.value)) hasText = true
        text += inner.value
      } else {
        text += `{${parts.length}}`
        parts.push(node)
      }
    }
    for (const part of parts) visit(part, { ...where, attribute: null })
    if (!hasText || first < 0) return
    const start = list[0]?.start ?? 0
    const end = list.at(-1)?.end ?? 0
    found.push({ text, start, end, kind: 'jsx', parts })
  }

  const visit = (node: SyntaxNode, where: Where): void => {
    if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'JSXClosingElement':
        return
      case 'ExportNamedDeclaration':
        if (isSyntaxNode(node.declaration)) visit(node.declaration, where)
        return
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        if (isSyntaxNode(node.expression)) visit(node.expression, where)
        return
      case 'JSXElement':
      case 'JSXFragment':
        if (isSyntaxNode(node.openingElement)) visit(node.openingElement, { ...where, attribute: null })
        jsxChildren(node.children as SyntaxNode[], { ...where, code: false })
        return
      case 'JSXAttribute': {
        const name = isSyntaxNode(node.name) ? String(node.name.name) : ''
        const inner = { attribute: name, code: CODE_ATTRIBUTES.test(name) }
        if (isSyntaxNode(node.value))
          if (node.value.type === 'Literal' && typeof node.value.value === 'string') {
            if (isText(node.value.value, inner.code))
              found.push({ text: node.value.value, start: node.value.start, end: node.value.end, kind: 'attribute', parts: [] })
          } else visit(node.value, inner)
        return
      }
      case 'BinaryExpression':
        // A comparison names a value of the code.
        if (/^(?:===|!==|==|!=|in)$/.test(String(node.operator))) {
          for (const side of [node.left, node.right])
            if (isSyntaxNode(side) && side.type !== 'Literal') visit(side, { ...where, code: false })
          return
        }
        break
      case 'SwitchCase':
        for (const statement of node.consequent as SyntaxNode[]) visit(statement, where)
        return
      case 'MemberExpression':
        if (isSyntaxNode(node.object)) visit(node.object, where)
        if (node.computed && isSyntaxNode(node.property) && node.property.type !== 'Literal') visit(node.property, { ...where, code: true })
        return
      case 'Property': {
        const name = isSyntaxNode(node.key) ? String(node.key.name ?? node.key.value ?? '') : ''
        if (isSyntaxNode(node.value)) visit(node.value, { attribute: null, code: where.code || CODE_KEYS.test(name) })
        return
      }
      case 'CallExpression':
      case 'NewExpression': {
        if (isSyntaxNode(node.callee) && node.callee.type !== 'Identifier') visit(node.callee, where)
        const code = CODE_CALLS.test(calleeName(node))
        for (const argument of node.arguments as SyntaxNode[])
          visit(argument, {
            attribute: null,
            code: (where.code && !/Function/.test(argument.type)) || (code && argument.type !== 'ArrowFunctionExpression'),
          })
        return
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        if (isSyntaxNode(node.body)) visit(node.body, { ...where, code: where.code && node.body.type !== 'BlockStatement' })
        for (const param of node.params as SyntaxNode[]) visit(param, where)
        return
      case 'ConditionalExpression':
        if (isSyntaxNode(node.test)) visit(node.test, { ...where, code: false })
        for (const side of [node.consequent, node.alternate]) if (isSyntaxNode(side)) visit(side, where)
        return
      case 'ExpressionStatement':
        if (node.directive) return
        break
      case 'TaggedTemplateExpression':
        return
      case 'Literal':
        if (typeof node.value === 'string' && isText(node.value, where.code))
          found.push({ text: node.value, start: node.start, end: node.end, kind: 'string', parts: [] })
        return
      case 'TemplateLiteral': {
        const quasis = node.quasis as (SyntaxNode & { value: { cooked: string } })[]
        const parts = node.expressions as SyntaxNode[]
        for (const part of parts) visit(part, where)
        const text = quasis.map(({ value }, at) => value.cooked + (at < parts.length ? `{${at}}` : '')).join('')
        if (isText(text, where.code)) found.push({ text, start: node.start, end: node.end, kind: 'template', parts })
        return
      }
    }
    for (const child of childNodes(node)) visit(child, where)
  }
  for (const statement of statements) visit(statement, { attribute: null, code: false })
  return found
}
