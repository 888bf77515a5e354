import { useState } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { type PastedClass, readPastedWeek } from './pasted-week.ts'

interface PastePanelProps {
  types: readonly string[]
  coaches: readonly string[]
  onPut: (classes: readonly PastedClass[]) => void
}

const PLACEHOLDER = 'Lunes 7:00 Reformer Ana\nLun, mié y vie 19:15 Barre con Sofía\nSáb 9 am Vinyasa'
/** Lines that could not be read and are shown. */
const SHOWN_PROBLEMS = 5

/** A timetable from a chat or a spreadsheet, put into the week. */
export function PastePanel({ types, coaches, onPut }: PastePanelProps) {
  const [text, setText] = useState('')
  const { classes, problems } = readPastedWeek(text, { types, coaches })
  return (
    <div className="steps-group">
      <TextArea
        label="Tu horario"
        rows={8}
        required={false}
        placeholder={PLACEHOLDER}
        hint="Una clase por línea: día, hora, clase y coach. También sirve una tabla copiada de Excel con un día por columna."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {problems.length > 0 && (
        <Banner tone="warn" title={problems.length === 1 ? 'No entendimos una línea' : `No entendimos ${problems.length} líneas`}>
          <ul>
            {problems.slice(0, SHOWN_PROBLEMS).map(({ line, text, why }) => (
              <li key={line}>
                Línea {line}, “{text}”: {why}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <p role="status" className="small muted">
        {classes.length === 0 ? '' : classes.length === 1 ? 'Entendimos 1 clase.' : `Entendimos ${classes.length} clases.`}
      </p>
      <Button
        variant="outline"
        className="steps-add"
        reason={classes.length === 0 && text ? 'No hay clases que poner.' : null}
        onClick={() => onPut(classes)}
      >
        Ponerlas en la semana
      </Button>
    </div>
  )
}
