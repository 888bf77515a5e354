/**
 * The schema of the text editor: a part of the allow-list of the sanitiser (T6), serialised as the sanitiser does, so that a text from the
 * editor passes it unchanged. What the list allows beyond this (divisions, captions) is edited as code.
 */
import { type Extensions, Mark } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { Link } from '@tiptap/extension-link'
import { OrderedList } from '@tiptap/extension-list'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { StarterKit } from '@tiptap/starter-kit'
import { isLink } from '#contract/link.ts'

/** Whether the sanitiser keeps the address of a picture. */
export const isPicture = (src: string | null): src is string => src !== null && isLink(src) && /^(?:https:\/\/|\/)/i.test(src)

const SafeLink = Link.extend({
  addAttributes: () => ({ href: { default: null }, title: { default: null } }),
  renderHTML: ({ HTMLAttributes }) => [
    'a',
    { ...HTMLAttributes, ...(/^https?:/i.test(String(HTMLAttributes.href)) ? { target: '_blank', rel: 'noopener noreferrer' } : {}) },
    0,
  ],
})

const SafeImage = Image.extend({
  addAttributes: () => ({ alt: { default: '' }, src: { default: null }, width: { default: null }, height: { default: null } }),
  parseHTML: () => [{ tag: 'img[src]', getAttrs: (element) => (isPicture(element.getAttribute('src')) ? null : false) }],
  renderHTML: ({ HTMLAttributes }) => ['img', { ...HTMLAttributes, loading: 'lazy' }],
})

/** Without the kind of numbering, which the sanitiser takes away. */
const NumberedList = OrderedList.extend({
  addAttributes: () => ({
    start: { default: 1, parseHTML: (element: HTMLElement) => Number.parseInt(element.getAttribute('start') ?? '1', 10) || 1 },
  }),
})

/** Without widths: these would be inline styles, which neither the sanitiser nor the administration's policy allows. */
const PlainTable = Table.extend({ renderHTML: () => ['table', ['tbody', 0]] })

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => Math.max(1, Number.parseInt(element.getAttribute(name) ?? '1', 10) || 1),
  // A cell of one row or column has no attribute, so that a table that was written without them stays as it is.
  renderHTML: ({ [name]: cells }: Record<string, unknown>) => (cells === 1 ? {} : { [name]: cells }),
})
const cellAttributes = () => ({
  colspan: span('colspan'),
  rowspan: span('rowspan'),
  colwidth: { default: null, parseHTML: () => null, rendered: false },
})

/** A mark of one element without attributes. */
const plainMark = (name: string, tag: string) =>
  Mark.create({ name, parseHTML: () => [{ tag }], renderHTML: () => [tag, 0], ...(tag.startsWith('su') ? { excludes: 'sub sup' } : {}) })

export const extensions: Extensions = [
  StarterKit.configure({ heading: { levels: [2, 3, 4] }, codeBlock: false, link: false, orderedList: false, trailingNode: false }),
  NumberedList,
  SafeLink.configure({ openOnClick: false, defaultProtocol: 'https', HTMLAttributes: {}, isAllowedUri: (href) => isLink(href ?? '') }),
  SafeImage,
  PlainTable,
  TableRow,
  TableHeader.extend({ addAttributes: cellAttributes }),
  TableCell.extend({ addAttributes: cellAttributes }),
  ...['sub', 'sup', 'mark', 'small'].map((tag) => plainMark(tag, tag)),
]
