import { CopyButton } from '#web/features/site/copy-button.tsx'
import { Banner } from '#web/ui/banner.tsx'

/** A secret, the one time that it is shown. `what`: "la llave". */
export function ShownSecret({ secret, what }: { secret: string; what: string }) {
  return (
    <>
      <Banner tone="warn">Guárdala ahora en un lugar seguro: no se vuelve a mostrar.</Banner>
      <p className="secret-shown">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} />
      </p>
    </>
  )
}
