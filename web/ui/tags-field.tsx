import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Field, type FieldTexts } from './field.tsx'
import './tags-field.css'

interface TagsFieldProps extends FieldTexts {
  name: string
  /** suggestions while typing; other words are allowed too */
  offered: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

/** Several words, chosen or typed: Enter, a comma or leaving the field adds one; pressing a word removes it. */
export function TagsField({ label, hint, error, optional, name, offered, value, onChange }: TagsFieldProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  function add(text: string) {
    const tag = text.trim()
    setTyped('')
    if (tag && !value.includes(tag)) onChange([...value, tag])
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== ',') return
    // Enter in the empty field submits the form.
    if (event.key === 'Enter' && !typed.trim()) return
    event.preventDefault()
    add(typed)
  }
  return (
    <div className="stack gap-8">
      <Field label={label} hint={hint ?? 'Escribe y presiona Enter para agregar.'} error={error} optional={optional}>
        {(control) => (
          <span className="control">
            <input
              type="text"
              autoComplete="off"
              maxLength={200}
              list={listId}
              name={name}
              value={typed}
              onChange={(event) => {
                const text = event.currentTarget.value
                // A word picked from the list is added at once.
                if (offered.includes(text) && !(event.nativeEvent instanceof InputEvent && event.nativeEvent.data)) add(text)
                else setTyped(text)
              }}
              onBlur={() => add(typed)}
              onKeyDown={onKeyDown}
              {...control}
            />
            <Button variant="quiet" size="small" onClick={() => add(typed)}>
              Agregar
            </Button>
          </span>
        )}
      </Field>
      <datalist id={listId}>
        {offered
          .filter((tag) => !value.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      {value.length > 0 && (
        <ul className="tags">
          {value.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="tag"
                aria-label={`Quitar ${tag}`}
                onClick={() => onChange(value.filter((other) => other !== tag))}
              >
                {tag}
                <IconX className="icon" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
