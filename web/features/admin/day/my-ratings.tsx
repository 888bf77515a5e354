import { formatWall } from '#contract/time.ts'
import type { api } from '#web/lib/api.ts'

type MyRatings = Awaited<ReturnType<typeof api.myClasses.read>>['ratings']

/** How people rated the coach in the last year: the average, and what they wrote without their names. */
export function MyRatings({ ratings }: { ratings: MyRatings }) {
  const { average, count, comments } = ratings
  return (
    <section className="panel-card" aria-labelledby="calificaciones">
      <div className="panel-head">
        <h2 id="calificaciones" className="t3">
          Lo que dicen de tus clases
        </h2>
      </div>
      <div className="panel-body stack gap-16">
        {average === null ? (
          <p className="muted">Nadie ha calificado tus clases en el último año.</p>
        ) : (
          <p>
            <span className="figure">{average.toLocaleString('es-MX', { minimumFractionDigits: 1 })}</span> de 5
            <span className="muted"> · {count === 1 ? '1 calificación' : `${count} calificaciones`} en el último año</span>
          </p>
        )}
        {comments.length > 0 && (
          <ul className="stack gap-8">
            {comments.map(({ text, date }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: comments have no id, and are only read again as a whole
              <li key={at}>
                “{text}” <span className="small muted">{formatWall(`${date}T00:00:00.000Z`, 'date')}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
