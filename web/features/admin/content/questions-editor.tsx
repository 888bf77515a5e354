import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import HtmlEditor from './html-editor.tsx'
import { paragraphsOf } from './html-text.ts'
import { type Question, readQuestions, writeQuestions } from './questions.ts'

type Item = Question & { id: number }

interface QuestionsEditorProps {
  /** a text that `readQuestions` can read; another one needs another `key` */
  start: string
  onChange: (html: string) => void
}

/** Questions and answers: put in order by dragging or with arrows, each edited in a panel. */
export default function QuestionsEditor({ start, onChange }: QuestionsEditorProps) {
  const [items, setItems] = useState<readonly Item[]>(() => (readQuestions(start) ?? []).map((question, id) => ({ ...question, id })))
  const [open, setOpen] = useState<Item | null>(null)
  const change = (next: readonly Item[]) => {
    setItems(next)
    onChange(writeQuestions(next))
  }
  return (
    <div className="field">
      <span className="field-label">Preguntas y respuestas</span>
      {items.length === 0 ? (
        <EmptyState>Agrega lo que más te preguntan: qué llevar, cómo cancelar, dónde estacionarse.</EmptyState>
      ) : (
        <OrderedList label="Preguntas" items={items} idOf={({ id }) => id} nameOf={({ question }) => question} onOrder={change}>
          {(item) => (
            <button type="button" className="catalogue-row" data-row onClick={() => setOpen(item)}>
              <span className="strong">{item.question}</span>
              <span className="small muted page-answer">{paragraphsOf(item.answer).join(' ') || 'Sin respuesta'}</span>
            </button>
          )}
        </OrderedList>
      )}
      <div>
        <Button
          variant="outline"
          icon={<IconPlus className="icon" aria-hidden="true" />}
          onClick={() => setOpen({ id: Math.max(-1, ...items.map(({ id }) => id)) + 1, question: '', answer: '' })}
        >
          Agregar pregunta
        </Button>
      </div>
      {open && (
        <QuestionPanel
          key={open.id}
          item={open}
          isNew={!items.some(({ id }) => id === open.id)}
          onDone={(item) => {
            change(items.some(({ id }) => id === item.id) ? items.map((other) => (other.id === item.id ? item : other)) : [...items, item])
            setOpen(null)
          }}
          onRemove={() => {
            change(items.filter(({ id }) => id !== open.id))
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

interface QuestionPanelProps {
  item: Item
  isNew: boolean
  onDone: (item: Item) => void
  onRemove: () => void
  onClose: () => void
}

function QuestionPanel({ item, isNew, onDone, onRemove, onClose }: QuestionPanelProps) {
  const [question, setQuestion] = useState(item.question)
  const [answer, setAnswer] = useState(item.answer)
  const [checked, setChecked] = useState(false)
  const heading = isNew ? 'Nueva pregunta' : 'Pregunta'
  const problem = !question.trim()
    ? 'Debes llenar este campo.'
    : readQuestions(writeQuestions([{ question, answer }])) === null
      ? 'La respuesta no puede tener títulos grandes ni código sin cerrar.'
      : null
  return (
    <Drawer
      open
      side="right"
      label={heading}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{heading}</h2>}
      foot={
        <div className="panel-foot">
          {!isNew && (
            <Button variant="danger-quiet" onClick={onRemove}>
              Quitar pregunta
            </Button>
          )}
          <Button
            onClick={() => {
              setChecked(true)
              if (!problem) onDone({ ...item, question: question.trim(), answer })
            }}
          >
            Listo
          </Button>
        </div>
      }
    >
      <div className="record-panel">
        <TextField
          label="Pregunta"
          maxLength={200}
          autoComplete="off"
          value={question}
          error={checked && !question.trim() ? problem : null}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <HtmlEditor label="Respuesta" start={item.answer} error={checked && question.trim() ? problem : null} onChange={setAnswer} />
      </div>
    </Drawer>
  )
}
