import { expect, test } from 'vitest'
import { shareSentence } from './share-text.ts'

test.each([
  [{ hasSeats: true, takesCards: true, takesCash: true }, 'Elige hora y lugar, y paga en línea o en el estudio.'],
  [{ hasSeats: false, takesCards: true, takesCash: false }, 'Elige tu hora, y paga en línea.'],
  [{ hasSeats: false, takesCards: false, takesCash: true }, 'Elige tu hora, y paga en el estudio.'],
  [{ hasSeats: true, takesCards: false, takesCash: false }, 'Elige hora y lugar.'],
])('the message promises what the studio has: %o', (facts, sentence) => expect(shareSentence(facts)).toBe(sentence))
