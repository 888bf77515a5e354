import { IconCalendarRepeat, IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ClassPackage } from '#contract/catalogue.ts'
import { errors, sentence } from '#contract/errors.ts'
import { basePrice, formatMoney, parsePesos } from '#contract/money.ts'
import type { PaymentAnswer } from '#contract/sales.ts'
import { api, newIntention, queries } from '#web/lib/api.ts'
import { type Flow, failureOf } from '#web/lib/errors.ts'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, RadioCards, type RadioOption } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { CardChallenge, CardFields, type CardFieldsHandle } from './card-fields.tsx'
import { DocumentDialog } from './document-dialog.tsx'
import { packageWords } from './package-words.ts'
import { CardBrand, cardIcon, cardTitle, cashIcon, type Way } from './payment-choice.tsx'
import type { SignupDocument } from './signup-form.tsx'

interface CheckoutPaymentProps {
  pack: ClassPackage
  /** origin of the processor's frames; null: no card can be charged here */
  frame: string | null
  /** documents to accept before paying */
  required: readonly SignupDocument[]
}

/** 'Forma de Pago': the ways to pay, the documents and the button (S1-2.66 to S1-2.70, S1-4.06 to S1-4.13, S1-5.17). */
export function CheckoutPayment({ pack, frame, required }: CheckoutPaymentProps) {
  const site = useSite()
  const methods = useQuery(queries.catalogue.paymentMethods.queryOptions({ staleTime: 300_000 }))
  const cards = useQuery({ ...queries.sales.cards.queryOptions({ meta: { handled: true } }), enabled: site.payment_sources_enabled })
  const pending = useQuery(queries.content.accepted.queryOptions({ meta: { handled: true } }))
  const fields = useRef<CardFieldsHandle>(null)
  const [key] = useState(newIntention)
  const [chosen, setChosen] = useState<Way | null>(null)
  const [cardReady, setCardReady] = useState(false)
  const [accepted, setAccepted] = useState(false)
  const [saves, setSaves] = useState(false)
  const [reading, setReading] = useState<SignupDocument | null>(null)
  const [refused, setRefused] = useState<{ message: string; feeId: number | null } | null>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const [leaving, setLeaving] = useState(false)
  const [challenge, setChallenge] = useState<{ secret: string; answer(failed: string | null): void } | null>(null)

  const cash = methods.data?.payment_methods.find((method) => method.name === 'Efectivo')
  const words = packageWords(pack)
  const free = words.verb === 'Obtener Oferta' && !pack.is_subscription
  const cashOpen = site.cash_checkout_enabled && !pack.is_subscription && cash !== undefined
  // Cash is the default when it is on, otherwise card (S1-4.06).
  const way: Way = chosen ?? (cashOpen ? 'cash' : 'card')
  const total = basePrice(parsePesos(pack.price) ?? 0, pack.sale_price ? parsePesos(pack.sale_price) : null)
  const flow: Flow = free || way === 'cash' ? 'first' : way === 'card' ? 'embedded' : 'card'

  const pay = useMutation({
    meta: { handled: true },
    mutationFn: async (): Promise<PaymentAnswer> => {
      setRefused(null)
      for (const page of pending.data?.pending ?? []) await api.content.accept({ page_id: page.page_id })
      const context = { intention: key }
      if (free || way === 'cash')
        return api.sales.checkout(
          { class_package_id: pack.class_package_id, payment_method_id: free ? null : (cash?.payment_method_id ?? null) },
          { context },
        )
      const source = way === 'card' ? null : Number(way.slice('source-'.length))
      const token = source === null ? await fields.current?.tokenize() : null
      return api.sales.attempt(
        {
          class_package_id: pack.class_package_id,
          payment_source_id: source,
          payment_method: token ?? null,
          save_card: source === null && saves,
        },
        { context },
      )
    },
    async onSuccess(answer) {
      if (answer.session) return go(answer.session.url)
      if (answer.clientSecret) {
        const secret = answer.clientSecret
        const failed = await new Promise<string | null>((resolve) => setChallenge({ secret, answer: resolve }))
        setChallenge(null)
        if (failed) return setRefused({ message: sentence('CARD_CONFIRMATION', { message: failed }), feeId: null })
      }
      go(site.checkout_redirect_url || paths.thanks(answer.payment_id ?? answer.purchase_id))
    },
    onError(error) {
      const { code, message, data } = failureOf(error, flow)
      setRefused({ message, feeId: code === 'SIGNUP_FEE_REQUIRED' ? Number(data.class_package_id) : null })
    },
  })
  // What was refused stands above the ways to pay; on a phone that is far from the button.
  useEffect(() => {
    if (refused && refused.feeId === null) refusal.current?.scrollIntoView({ block: 'center' })
  }, [refused])
  function go(to: string) {
    setLeaving(true)
    location.assign(to)
  }

  const options: RadioOption<Way>[] = [
    ...(cards.data?.payment_sources ?? []).map((card) => ({
      value: `source-${card.payment_source_id}` as const,
      icon: <CardBrand type={card.card_type} />,
      title: cardTitle(card),
      detail: card.exp && `Vence ${card.exp}`,
    })),
    {
      value: 'card',
      icon: cardIcon,
      title: cards.data?.payment_sources.length ? 'Otra tarjeta' : 'Tarjeta de crédito o débito',
      panel: (
        <div className="stack gap-16">
          {frame ? (
            <CardFields ref={fields} origin={frame} onReady={setCardReady} />
          ) : (
            <Notice tone="warn">Por ahora no se puede pagar con tarjeta.</Notice>
          )}
          {site.payment_sources_enabled && (
            <Checkbox checked={saves} onChange={(event) => setSaves(event.currentTarget.checked)}>
              Guardar esta tarjeta para otra compra
            </Checkbox>
          )}
        </div>
      ),
    },
    ...(cashOpen
      ? [
          {
            value: 'cash' as const,
            icon: cashIcon,
            title: 'Efectivo',
            detail: cash?.description || 'Pagas en recepción; apartamos tu compra.',
          },
        ]
      : []),
  ]
  const holds =
    required.length > 0 && !accepted
      ? 'Acepta los documentos para continuar.'
      : !free && way === 'card' && !cardReady
        ? 'Completa los datos de tu tarjeta.'
        : null

  return (
    <section aria-labelledby="forma" className="stack gap-16">
      <h2 id="forma" className="t3 checkout-title">
        Forma de Pago
      </h2>
      {refused && refused.feeId === null && (
        <div ref={refusal}>
          <Notice tone="danger" live>
            {refused.message}
          </Notice>
        </div>
      )}
      {site.checkout_disabled && <Notice tone="warn">{errors.CHECKOUT_DISABLED.message}</Notice>}
      {pack.is_subscription && (
        <Notice tone="brand" icon={<IconCalendarRepeat className="icon" aria-hidden="true" />} title="Esto es una suscripción">
          {words.terms}. Te avisamos cinco días antes de cada cargo y puedes cancelar cuando quieras desde Mis Compras.
        </Notice>
      )}
      {!free && <RadioCards legend="Forma de pago" quietLegend look="list" options={options} value={way} onChange={setChosen} />}
      {required.length > 0 && (
        <Checkbox checked={accepted} onChange={(event) => setAccepted(event.currentTarget.checked)}>
          Acepto{' '}
          {required.map((page, at) => (
            <span key={page.page_id}>
              {at > 0 && (at === required.length - 1 ? ' y ' : ', ')}
              <button type="button" className="link" onClick={() => setReading(page)}>
                {page.title}
              </button>
            </span>
          ))}
        </Checkbox>
      )}
      <div className="checkout-pay">
        <Button
          full
          loading={pay.isPending || leaving}
          reason={site.checkout_disabled ? errors.CHECKOUT_DISABLED.message : holds}
          icon={<IconLock className="icon" aria-hidden="true" />}
          onClick={() => pay.mutate()}
        >
          {free
            ? 'Obtener Oferta'
            : way === 'cash'
              ? `Apartar por ${formatMoney(total)}`
              : `Pagar ${words.later ? '$0.00' : formatMoney(total)}`}
        </Button>
      </div>
      {!free && (
        <p className="small muted checkout-safe">
          El pago lo procesa un proveedor certificado. El estudio no ve ni guarda el número de tu tarjeta.
        </p>
      )}
      {frame && <CardChallenge origin={frame} secret={challenge?.secret ?? null} onAnswer={(failed) => challenge?.answer(failed)} />}
      <DocumentDialog page={reading} onClose={() => setReading(null)} />
      <Dialog
        open={refused !== null && refused.feeId !== null}
        onClose={() => setRefused(null)}
        title="Completar Inscripción"
        actions={<Button onClick={() => go(paths.checkout(refused?.feeId ?? 0))}>Ir a Pagar</Button>}
      >
        <p>{errors.SIGNUP_FEE_REQUIRED.message}</p>
      </Dialog>
    </section>
  )
}
