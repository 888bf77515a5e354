/**
 * Texts that the studio wrote, found in the source: names of classes, packages and places, descriptions, pages. The English build leaves
 * them in Spanish and marks them so, with the `lang` of their element or of a `span` around them (WCAG 3.1.2): a screen reader would read
 * them with its English voice otherwise.
 */
import { childNodes, isSyntaxNode, parseStatements, type SyntaxNode } from './syntax-nodes.ts'

const LANGUAGE = 'lang="es-MX"'

/** What has texts of the studio, by the name that the code gives it, and which of its fields are texts. */
const RECORDS =
  /^(?:class_type|video_type|location|room|type|program|video|page|classPackage|single_class|coach|instructor|announcement|wanted|leaving|cls|best|question|hero|first|purchase|tag)$/
const FIELDS: Readonly<Record<string, RegExp>> = {
  name: /^(?:class_type|video_type|location|room|type|program|video|wanted|leaving|cls|coach|instructor|tag)$/,
  title: /^(?:page|classPackage|announcement|purchase|order|hero|best)$/,
  text: /^(?:hero|first)$/,
  description: RECORDS,
  short_description: RECORDS,
  short_bio: RECORDS,
  quote: RECORDS,
  specialties: RECORDS,
  music_type: RECORDS,
  address: /^location$/,
}
/** Texts of the studio under names that mean something else in other files: `({ name }) => …`, `row.title`. */
const BY_FILE: Readonly<Record<string, RegExp>> = {
  'web/areas/access/card-change.tsx': /^shown\.title$/,
  'web/areas/access/link-parts.tsx': /^cls\.(?:class_type|coaches|location)$/,
  'web/areas/account/credit-history.tsx': /^row\.title$/,
  'web/areas/account/credits.tsx': /^row\.title$/,
  'web/areas/account/purchases.tsx': /^row\.title$/,
  'web/areas/account/video.tsx': /^name$/,
  'web/areas/site/announcements.tsx': /^title$/,
  'web/areas/site/content.tsx': /^title$/,
  'web/areas/site/landing-sections.tsx': /^(?:name|address|title)$/,
  'web/areas/site/location.tsx': /^(?:name|address|hours)$/,
  'web/features/calendar/class-name.tsx': /^name$/,
  'web/features/site/banner.tsx': /^site\.banner_text$/,
  'web/features/site/footer.tsx': /^site\.location$/,
  'web/features/videos/video-card.tsx': /^title$/,
}
/** Functions that return such texts: the names of coaches. */
const FUNCTIONS = /^(?:coachNames|coachOf|instructorName|instructorFullName)$/
/** Elements and components whose children must be a string. */
const STRINGS_ONLY = /^(?:title|textarea|script|style|PageTitle)$/

const nameOf = (node: unknown): string =>
  isSyntaxNode(node) ? (node.type === 'MemberExpression' ? nameOf(node.property) : String(node.name ?? '')) : ''
const inner = (node: SyntaxNode): SyntaxNode =>
  /^(?:ChainExpression|ParenthesizedExpression|TSNonNullExpression|TSAsExpression)$/.test(node.type) && isSyntaxNode(node.expression)
    ? inner(node.expression)
    : node

/** Whether a constant has no words: a dot between two names, a dash instead of one. */
const isPunctuation = (text: unknown): boolean => typeof text !== 'string' || !/\p{L}/u.test(text)

/** `studio`: a text of the studio; `nothing`: no words; `other`: anything else, also words of the interface. */
type Kind = 'studio' | 'nothing' | 'other'

/** What an expression shows. `taken`: the names in its file that are texts of the studio. */
function kindOf(node: SyntaxNode, reads: RegExp | undefined): Kind {
  const shown = inner(node)
  const all = (parts: readonly unknown[]): Kind => {
    const kinds = parts.filter(isSyntaxNode).map((part) => kindOf(part, reads))
    if (kinds.includes('other')) return 'other'
    return kinds.includes('studio') ? 'studio' : 'nothing'
  }
  switch (shown.type) {
    case 'Literal':
      return isPunctuation(shown.value) ? 'nothing' : 'other'
    case 'Identifier':
      if (shown.name === 'undefined') return 'nothing'
      return reads?.test(String(shown.name)) ? 'studio' : 'other'
    case 'MemberExpression':
      if (reads?.test(`${nameOf(shown.object)}.${nameOf(shown.property)}`)) return 'studio'
      return FIELDS[nameOf(shown.property)]?.test(nameOf(shown.object)) ? 'studio' : 'other'
    case 'LogicalExpression':
      return shown.operator === '&&' ? all([shown.right]) : all([shown.left, shown.right])
    case 'ConditionalExpression':
      return all([shown.consequent, shown.alternate])
    case 'TemplateLiteral':
      if ((shown.quasis as { value: { cooked: string } }[]).some(({ value }) => !isPunctuation(value.cooked))) return 'other'
      return all(shown.expressions as SyntaxNode[])
    case 'ArrayExpression':
      return all(shown.elements as SyntaxNode[])
    case 'CallExpression': {
      const called = isSyntaxNode(shown.callee) ? inner(shown.callee) : null
      if (called?.type === 'Identifier') {
        const [text] = shown.arguments as SyntaxNode[]
        // What is cut to fit is still the text.
        if (nameOf(called) === 'cutAtWord' && text) return kindOf(text, reads)
        return FUNCTIONS.test(nameOf(called)) ? 'studio' : 'other'
      }
      if (called?.type !== 'MemberExpression' || !/^(?:join|filter|trim)$/.test(nameOf(called.property))) return 'other'
      return isSyntaxNode(called.object) ? kindOf(called.object, reads) : 'other'
    }
    default:
      return 'other'
  }
}

/** The source of a file whose texts of the studio are marked. */
export function withStudioLanguage(file: string, source: string): string {
  const statements = parseStatements(file, source)
  const reads = BY_FILE[file]
  const added: { at: number; text: string }[] = []

  const mark = (element: SyntaxNode) => {
    const opening = element.openingElement as SyntaxNode & { name: SyntaxNode; attributes: SyntaxNode[] }
    const name = nameOf(opening.name)
    const attributes = opening.attributes.map((attribute) => (isSyntaxNode(attribute.name) ? String(attribute.name.name) : ''))
    if (STRINGS_ONLY.test(name) || attributes.includes('lang')) return
    const ofPage = /^[a-z]/.test(name)
    if (ofPage && attributes.includes('dangerouslySetInnerHTML')) {
      added.push({ at: opening.name.end, text: ` ${LANGUAGE}` })
      return
    }
    const children = (element.children as SyntaxNode[]).filter((node) => node.type !== 'JSXText' || /\S/.test(String(node.value)))
    for (const child of children) {
      const shown = child.type === 'JSXExpressionContainer' && isSyntaxNode(child.expression) ? child.expression : null
      if (!shown || kindOf(shown, reads) !== 'studio') continue
      if (ofPage && children.length === 1) added.push({ at: opening.name.end, text: ` ${LANGUAGE}` })
      else added.push({ at: child.start, text: `<span ${LANGUAGE}>` }, { at: child.end, text: '</span>' })
    }
  }

  /** The cells of a table: functions that return a text. */
  const markCell = ({ key, value }: SyntaxNode) => {
    const body = nameOf(key) === 'cell' && isSyntaxNode(value) && value.type === 'ArrowFunctionExpression' ? value.body : null
    if (isSyntaxNode(body) && kindOf(body, reads) === 'studio')
      added.push({ at: body.start, text: `<span ${LANGUAGE}>{` }, { at: body.end, text: '}</span>' })
  }

  const visit = (node: SyntaxNode) => {
    if (node.type === 'Property') markCell(node)
    if (node.type === 'JSXElement') mark(node)
    if (node.type === 'JSXFragment') mark({ ...node, openingElement: { name: { type: 'none', end: 0 }, attributes: [] } })
    for (const child of childNodes(node)) visit(child)
  }
  for (const statement of statements) visit(statement)

  // Of two marks at one place, that which closes is first: it was found first.
  return added
    .map((text, order) => ({ ...text, order }))
    .sort((a, b) => b.at - a.at || b.order - a.order)
    .reduce((built, { at, text }) => built.slice(0, at) + text + built.slice(at), source)
}
