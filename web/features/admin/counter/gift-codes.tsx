import { Banner } from '#web/ui/banner.tsx'

/** The codes of the gift cards that were sold. */
export function GiftCodes({ cards }: { cards: readonly { code: string; title: string }[] }) {
  return (
    <Banner tone="brand" title={cards.length === 1 ? 'Código de la tarjeta de regalo' : 'Códigos de las tarjetas de regalo'}>
      <ul className="gift-codes">
        {cards.map(({ code, title }) => (
          <li key={code}>
            <span className="t3">{code}</span> <span className="small">{title}</span>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
