/** What the message to customers promises: only what the studio has. */
export function shareSentence({ hasSeats, takesCards, takesCash }: { hasSeats: boolean; takesCards: boolean; takesCash: boolean }): string {
  const choose = hasSeats ? 'Elige hora y lugar' : 'Elige tu hora'
  if (takesCards && takesCash) return `${choose}, y paga en línea o en el estudio.`
  if (takesCards) return `${choose}, y paga en línea.`
  return takesCash ? `${choose}, y paga en el estudio.` : `${choose}.`
}
