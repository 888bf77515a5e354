import type { ChangeResult } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'

type Alternatives = ChangeResult['alternatives']

/** What a cancellation sends: the other classes that it offers, and the mail as its first reader gets it. */
export function CancelPreview({ result: { message, alternatives } }: { result: ChangeResult }) {
  return (
    <>
      <Offered alternatives={alternatives} />
      {message && (
        <details className="plan-message">
          <summary>Qué le llega a {message.name}</summary>
          <p className="strong">{message.subject}</p>
          {message.text.split('\n').map((line) => (
            <p key={line}>{line}</p>
          ))}
          <p className="small muted">Con el motivo que escribas.</p>
        </details>
      )}
    </>
  )
}

const spots = (count: number): string => (count === 1 ? '1 lugar' : `${count} lugares`)

function Offered({ alternatives }: { alternatives: Alternatives }) {
  if (alternatives.length === 0) return null
  return (
    <section className="plan-offered" aria-label="Otras clases con lugar">
      <p className="strong">Se les ofrece otra clase con lugar</p>
      {alternatives.map(({ single_class_id, name, class_date, others }) => (
        <div key={single_class_id}>
          {alternatives.length > 1 && (
            <p>
              En vez de {name}, {formatWall(class_date, 'class')}:
            </p>
          )}
          {others.length === 0 ? (
            <p className="muted">No hay otra de {name} con lugar que ya se pueda reservar.</p>
          ) : (
            <ul className="plan-result">
              {others.map((other) => (
                <li key={other.single_class_id}>
                  {formatWall(other.class_date, 'class')}, {other.location}, {spots(other.places_left)}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  )
}
