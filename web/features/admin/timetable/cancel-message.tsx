import type { ChangeResult } from '#contract/studio-schedule.ts'

/** The mail that a cancellation sends, as its first reader gets it. */
export function CancelMessage({ message }: { message: ChangeResult['message'] }) {
  if (!message) return null
  return (
    <details className="plan-message">
      <summary>Qué le llega a {message.name}</summary>
      <p className="strong">{message.subject}</p>
      {message.text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p className="small muted">Con el motivo que escribas.</p>
    </details>
  )
}
