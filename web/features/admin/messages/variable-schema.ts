/** The schema of a text with variables: paragraphs of text and chips. No formats: messages have none. */
import { Extension, type Extensions, mergeAttributes, Node } from '@tiptap/core'
import { closeHistory, history, redo, undo } from '@tiptap/pm/history'
import { Plugin, TextSelection } from '@tiptap/pm/state'
import { toVariableDoc, type Variable, variableOf, WRITTEN } from './variable-doc.ts'

const Doc = Node.create({ name: 'doc', topNode: true, content: 'paragraph+' })
const Paragraph = Node.create({
  name: 'paragraph',
  content: 'inline*',
  parseHTML: () => [{ tag: 'p' }, { tag: 'div' }],
  renderHTML: () => ['p', 0],
})
const Text = Node.create({ name: 'text', group: 'inline' })

/** A variable, moved over, selected and deleted as one letter. What was written for it is kept. */
const chip = (variables: readonly Variable[]) =>
  Node.create({
    name: 'variable',
    group: 'inline',
    inline: true,
    atom: true,
    addAttributes: () => ({ source: { rendered: false }, label: { rendered: false } }),
    renderHTML: ({ node, HTMLAttributes }) => [
      'span',
      mergeAttributes(HTMLAttributes, { class: 'variable-chip' }),
      ['span', { class: 'sr-only' }, 'dato '],
      String(node.attrs.label),
    ],
    renderText: ({ node }) => String(node.attrs.source),
    addProseMirrorPlugins() {
      const { type } = this
      // However it came there: typed, dropped, or filled in by a program.
      const appendTransaction: Plugin['spec']['appendTransaction'] = (transactions, _, { doc, tr }) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null
        doc.descendants(({ text }, at) => {
          for (const { 0: source, index } of text?.matchAll(new RegExp(WRITTEN, 'g')) ?? []) {
            const variable = variableOf(source, variables)
            const from = tr.mapping.map(at + index)
            if (variable) tr.replaceWith(from, from + source.length, type.create({ source, label: variable.label }))
          }
        })
        return tr.docChanged ? tr : null
      }
      return [new Plugin({ appendTransaction })]
    },
    addKeyboardShortcuts() {
      const remove = (side: 'nodeBefore' | 'nodeAfter') => () => {
        const { selection, tr } = this.editor.state
        const beside = selection instanceof TextSelection && selection.$cursor?.[side]
        if (!beside || beside.type !== this.type) return false
        const at = side === 'nodeBefore' ? selection.from - beside.nodeSize : selection.from
        this.editor.view.dispatch(closeHistory(tr.delete(at, at + beside.nodeSize)).scrollIntoView())
        return true
      }
      return { Backspace: remove('nodeBefore'), Delete: remove('nodeAfter') }
    },
  })

const Undo = Extension.create({
  name: 'undo',
  addProseMirrorPlugins: () => [history()],
  addKeyboardShortcuts() {
    const run = (command: typeof undo) => () => command(this.editor.state, this.editor.view.dispatch)
    return { 'Mod-z': run(undo), 'Mod-y': run(redo), 'Shift-Mod-z': run(redo), 'Shift-Enter': () => this.editor.commands.splitBlock() }
  },
})

/** What is pasted is text, whatever else the clipboard has; its variables become chips. */
export const pastedParagraphs = (variables: readonly Variable[]) => (text: string) =>
  toVariableDoc(text.replace(/\r\n?/g, '\n'), variables).content

export const variableExtensions = (variables: readonly Variable[]): Extensions => [Doc, Paragraph, Text, chip(variables), Undo]
