import { type RefObject, useState } from 'react'
import { validation } from '#contract/copy/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import './discount-form.css'

interface CodeFormProps {
  ref?: RefObject<HTMLFormElement | null>
  label: string
  name: string
  maxLength: number
  verb: string
  code: string
  onCode: (code: string) => void
  isPending: boolean
  /** Why the code was refused. */
  refusal: string | null
  onSubmit: () => void
}

/** A field for a code with its own button and spinner. */
export function CodeForm({ ref, label, name, maxLength, verb, code, onCode, isPending, refusal, onSubmit }: CodeFormProps) {
  const [isEmpty, setIsEmpty] = useState(false)
  return (
    <form
      ref={ref}
      className="discount-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending) return
        setIsEmpty(!code.trim())
        if (code.trim()) onSubmit()
      }}
    >
      <div className="discount-row">
        <TextField
          label={label}
          name={name}
          value={code}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required={false}
          onChange={(event) => {
            onCode(event.currentTarget.value)
            setIsEmpty(false)
          }}
          error={isEmpty ? validation.fillField : refusal}
        />
        <Button type="submit" variant="outline" loading={isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
