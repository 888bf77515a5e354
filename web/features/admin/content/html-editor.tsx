import './html-editor.css'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBold,
  IconCode,
  IconColumnInsertRight,
  IconColumnRemove,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconRowInsertBottom,
  IconRowRemove,
  IconTable,
  IconTableOff,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Editor } from '@tiptap/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { acceptedTypes } from '#contract/files.ts'
import { isLink, LINK_MESSAGE } from '#contract/link.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { extensions, isPicture } from './editor-schema.ts'
import { canonical } from './same-html.ts'

interface HtmlEditorProps {
  label: string
  /** the text when the editor is opened; another text needs another `key` */
  start: string
  error?: string | null | undefined
  onChange: (html: string) => void
}

/** The text as the editor would keep it. */
function sanitized(html: string): string {
  const reader = new Editor({ element: null, extensions, content: html, injectCSS: false })
  const text = reader.getHTML()
  reader.destroy()
  return text
}

const isKnown = (html: string) => html.trim() === '' || canonical(sanitized(html)) === canonical(html)

/** A text of the site with headings, lists, links, pictures and tables, or as code. */
export default function HtmlEditor({ label, start, error, onChange }: HtmlEditorProps) {
  const id = useId()
  const [text, setText] = useState(start)
  const [isCode, setIsCode] = useState(() => !isKnown(start))
  const [opened] = useState(isCode)
  const [asking, setAsking] = useState(false)
  const change = (html: string) => {
    setText(html)
    onChange(html)
  }
  const toText = () => {
    if (isKnown(text)) setIsCode(false)
    else setAsking(true)
  }
  return (
    <div className="field">
      <span id={`${id}-label`} className="field-label">
        {label}
      </span>
      {isCode ? (
        <div className="html-editor">
          <div className="html-tools">
            <Button variant="quiet" size="small" onClick={toText}>
              Volver al texto
            </Button>
          </div>
          {opened && text === start && (
            <Banner>Este texto tiene código que el editor no conoce; por eso se abre como código. Nada de él se pierde así.</Banner>
          )}
          <textarea
            className="html-code"
            rows={14}
            spellCheck={false}
            aria-label={`${label}: código`}
            aria-describedby={error ? `${id}-error` : undefined}
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
          />
        </div>
      ) : (
        <TextMode labelledBy={`${id}-label`} start={text} onChange={change} onCode={() => setIsCode(true)} />
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <ConfirmDialog
        open={asking}
        yes="Cambiar y quitarlo"
        no="Seguir en código"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          change(sanitized(text))
          setAsking(false)
          setIsCode(false)
        }}
      >
        El editor no conoce una parte de este código y la quita. ¿Quieres cambiar de todos modos?
      </ConfirmDialog>
    </div>
  )
}

interface TextModeProps {
  labelledBy: string
  start: string
  onChange: (html: string) => void
  onCode: () => void
}

function TextMode({ labelledBy, start, onChange, onCode }: TextModeProps) {
  const [editor, setEditor] = useState<Editor | null>(null)
  const mount = useRef<HTMLDivElement>(null)
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  const first = useRef(start)
  const [, redraw] = useState(0)
  useEffect(() => {
    const editor = new Editor({
      element: mount.current,
      extensions,
      content: first.current,
      // Tiptap's own style element is not allowed by the policy; html-editor.css has its rules.
      injectCSS: false,
      editorProps: {
        attributes: { class: 'rich-text html-text', role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelledBy },
      },
      onTransaction: () => redraw((count) => count + 1),
      onUpdate: ({ editor: of }) => changed.current(of.isEmpty ? '' : of.getHTML()),
    })
    setEditor(editor)
    return () => editor.destroy()
  }, [labelledBy])
  const [adding, setAdding] = useState<'link' | 'picture' | null>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
    event.preventDefault()
    event.stopPropagation()
    setAdding('link')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes Ctrl K from the text inside
    <div className="html-editor" onKeyDown={onKeyDown}>
      {editor && <Tools editor={editor} adding={adding} onAdd={setAdding} onCode={onCode} />}
      {editor && adding === 'link' && <LinkForm editor={editor} onClose={() => setAdding(null)} />}
      {editor && adding === 'picture' && <PictureForm editor={editor} onClose={() => setAdding(null)} />}
      <div ref={mount} />
    </div>
  )
}

interface ToolsProps {
  editor: Editor
  adding: 'link' | 'picture' | null
  onAdd: (what: 'link' | 'picture' | null) => void
  onCode: () => void
}

const STYLES = [
  { value: 'p', label: 'Texto' },
  { value: '2', label: 'Título' },
  { value: '3', label: 'Subtítulo' },
  { value: '4', label: 'Título menor' },
] as const

function Tools({ editor, adding, onAdd, onCode }: ToolsProps) {
  const level = ([2, 3, 4] as const).find((level) => editor.isActive('heading', { level }))
  const setStyle = (value: string) => {
    const to = ([2, 3, 4] as const).find((to) => String(to) === value)
    if (to) editor.chain().focus().setHeading({ level: to }).run()
    else editor.chain().focus().setParagraph().run()
  }
  const tool = (label: string, Icon: typeof IconBold, act: () => void, pressed?: boolean) => (
    <IconButton bare label={label} aria-pressed={pressed} onClick={act}>
      <Icon className="icon" aria-hidden="true" />
    </IconButton>
  )
  const to = () => editor.chain().focus()
  const divider = <span className="html-divider" />
  return (
    <div className="html-tools" role="toolbar" aria-label="Formato">
      <select aria-label="Estilo" value={level ? String(level) : 'p'} onChange={(event) => setStyle(event.currentTarget.value)}>
        {STYLES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {divider}
      {tool('Negritas', IconBold, () => to().toggleBold().run(), editor.isActive('bold'))}
      {tool('Cursivas', IconItalic, () => to().toggleItalic().run(), editor.isActive('italic'))}
      {tool('Enlace', IconLink, () => onAdd(adding === 'link' ? null : 'link'), editor.isActive('link'))}
      {divider}
      {tool('Lista', IconList, () => to().toggleBulletList().run(), editor.isActive('bulletList'))}
      {tool('Lista con números', IconListNumbers, () => to().toggleOrderedList().run(), editor.isActive('orderedList'))}
      {tool('Imagen', IconPhoto, () => onAdd(adding === 'picture' ? null : 'picture'))}
      {tool('Tabla', IconTable, () => to().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run())}
      {editor.isActive('table') && (
        <>
          {tool('Agregar fila', IconRowInsertBottom, () => to().addRowAfter().run())}
          {tool('Quitar fila', IconRowRemove, () => to().deleteRow().run())}
          {tool('Agregar columna', IconColumnInsertRight, () => to().addColumnAfter().run())}
          {tool('Quitar columna', IconColumnRemove, () => to().deleteColumn().run())}
          {tool('Quitar tabla', IconTableOff, () => to().deleteTable().run())}
        </>
      )}
      {divider}
      {tool('Deshacer', IconArrowBackUp, () => to().undo().run())}
      {tool('Rehacer', IconArrowForwardUp, () => to().redo().run())}
      {divider}
      {tool('Código', IconCode, onCode)}
    </div>
  )
}

/** The form below the tools while a link or picture is added. */
function Adding({ onSubmit, onClose, yes, children }: { onSubmit: () => void; onClose: () => void; yes: string; children: ReactNode }) {
  return (
    <fieldset
      className="html-adding"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) onSubmit()
        else if (event.key === 'Escape') onClose()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {children}
      <div className="html-adding-foot">
        <Button variant="quiet" size="small" onClick={onClose}>
          Cancelar
        </Button>
        <Button variant="outline" size="small" onClick={onSubmit}>
          {yes}
        </Button>
      </div>
    </fieldset>
  )
}

function LinkForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [href, setHref] = useState(String(editor.getAttributes('link').href ?? ''))
  const [error, setError] = useState<string | null>(null)
  const submit = () => {
    const to = href.trim()
    if (to === '') editor.chain().focus().extendMarkRange('link').unsetLink().run()
    else if (!isLink(to)) return setError(LINK_MESSAGE)
    else if (editor.state.selection.empty && !editor.isActive('link'))
      editor
        .chain()
        .focus()
        .insertContent({ type: 'text', text: to, marks: [{ type: 'link', attrs: { href: to } }] })
        .run()
    else editor.chain().focus().extendMarkRange('link').setLink({ href: to }).run()
    onClose()
  }
  return (
    <Adding yes="Poner enlace" onSubmit={submit} onClose={onClose}>
      <TextField
        label="Dirección del enlace"
        hint="Vacía: quita el enlace."
        error={error}
        optional
        autoFocus
        value={href}
        onChange={(event) => setHref(event.currentTarget.value)}
      />
    </Adding>
  )
}

function PictureForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [src, setSrc] = useState('')
  const [alt, setAlt] = useState('')
  const [error, setError] = useState<string | null>(null)
  const upload = useMutation({
    meta: { handled: true },
    mutationFn: (file: File) => api.files.upload({ file, data: JSON.stringify({ is_public: true }) }),
    onSuccess: ({ file }) => setSrc(file.src),
  })
  const submit = () => {
    if (!isPicture(src.trim())) return setError(LINK_MESSAGE)
    editor
      .chain()
      .focus()
      .insertContent({ type: 'image', attrs: { src: src.trim(), alt: alt.trim() } })
      .run()
    onClose()
  }
  return (
    <Adding yes="Poner imagen" onSubmit={submit} onClose={onClose}>
      <FileField
        label="Subir una imagen"
        name="picture"
        optional
        error={upload.isError ? toFailure(upload.error).message : undefined}
        accept={acceptedTypes('image')}
        chosen={null}
        onChoose={(file) => file && upload.mutate(file)}
        current={null}
      />
      <TextField
        label="Dirección de la imagen"
        error={error}
        hint={upload.isPending ? 'Subiendo…' : undefined}
        value={src}
        onChange={(event) => setSrc(event.currentTarget.value)}
      />
      <TextField label="Qué se ve en ella" optional value={alt} maxLength={200} onChange={(event) => setAlt(event.currentTarget.value)} />
    </Adding>
  )
}
