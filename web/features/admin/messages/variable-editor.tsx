import { Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { Slice } from '@tiptap/pm/model'
import { useEffect, useRef } from 'react'
import { toVariableDoc, toVariableText, type Variable, type VariableDoc } from './variable-doc.ts'
import { pastedParagraphs, variableExtensions } from './variable-schema.ts'

export interface VariableEditorProps {
  /** ids of the elements that name and describe it */
  labelledBy: string
  describedBy: string | undefined
  isInvalid: boolean
  readOnly: boolean
  variables: readonly Variable[]
  value: string
  onChange: (text: string) => void
  /** how a variable is put where the cursor is; called once */
  onReady: (insert: (variable: Variable) => void) => void
}

/** A text whose variables are chips. Its value is plain text: a line for each paragraph, {{nombre}} for each chip. */
export default function VariableEditor(props: VariableEditorProps) {
  const { labelledBy, describedBy, isInvalid, readOnly, value } = props
  const mount = useRef<HTMLDivElement>(null)
  const editorRef = useRef<Editor | null>(null)
  const latest = useRef(props)
  /** The text as the editor has it: another `value` comes from outside. */
  const shown = useRef(value)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const { variables } = latest.current
    const paragraphs = pastedParagraphs(variables)
    let wasFocused = false
    const editor = new Editor({
      element: mount.current,
      extensions: variableExtensions(variables),
      content: toVariableDoc(shown.current, variables),
      // Tiptap's own style element is not allowed by the policy; messages.css has its rules.
      injectCSS: false,
      coreExtensionOptions: { clipboardTextSerializer: { blockSeparator: '\n' } },
      editorProps: {
        attributes: { class: 'variable-text', role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledBy },
        handlePaste(view, event) {
          const text = event.clipboardData?.getData('text/plain') ?? ''
          if (text === '') return true
          const doc = view.state.schema.nodeFromJSON({ type: 'doc', content: paragraphs(text) })
          view.dispatch(closeHistory(view.state.tr.replaceSelection(new Slice(doc.content, 1, 1))).scrollIntoView())
          return true
        },
      },
      onFocus: () => {
        wasFocused = true
      },
      onUpdate: ({ editor: of }) => {
        shown.current = toVariableText(of.getJSON() as unknown as VariableDoc)
        latest.current.onChange(shown.current)
      },
    })
    editorRef.current = editor
    latest.current.onReady(({ key, label }) => {
      editor
        .chain()
        .focus(wasFocused ? undefined : 'end')
        // Undone alone, however fast it followed what was typed.
        .command(({ tr }) => closeHistory(tr) === tr)
        .insertContent({ type: 'variable', attrs: { source: `{{${key}}}`, label } })
        .run()
    })
    return () => {
      editorRef.current = null
      editor.destroy()
    }
  }, [labelledBy])
  useEffect(() => {
    if (value === shown.current) return
    shown.current = value
    editorRef.current?.commands.setContent(toVariableDoc(value, latest.current.variables), { emitUpdate: false })
  }, [value])
  useEffect(() => {
    const dom = editorRef.current?.view.dom
    if (!dom) return
    editorRef.current?.setEditable(!readOnly, false)
    const set = (name: string, text: string | undefined) => (text ? dom.setAttribute(name, text) : dom.removeAttribute(name))
    set('aria-describedby', describedBy)
    set('aria-invalid', isInvalid ? 'true' : undefined)
    set('aria-readonly', readOnly ? 'true' : undefined)
  }, [describedBy, isInvalid, readOnly])
  return <div ref={mount} className="control variable-control" />
}
