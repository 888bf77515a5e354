import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { fromScript, loadProviderScript } from '#web/lib/provider-script.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import './card-fields.css'

/** Types of the part of Conekta's tokenizer that is used. It renders a card form in an iframe of Conekta. */
interface Tokenizer {
  Card(form: {
    config: { targetIFrame: string; publicKey: string; locale: 'es'; useExternalSubmit: true }
    callbacks: {
      onGetInfoSuccess(): void
      onUpdateSubmitTrigger(submit: () => unknown): void
      onFormError(problem: unknown): void
      onCreateTokenSucceeded(token: { id: string }): void
      onCreateTokenError(problem: { message?: string; details?: { message?: string }[] }): void
    }
    allowTokenization: true
  }): void
}

interface ConektaFieldsProps {
  ref: Ref<CardFieldsHandle>
  site: string
  publicKey: string
  /** called once the form is shown: Conekta does not report whether its fields are complete, and shows by itself what is missing */
  onReady: (ready: boolean) => void
  onFailed: () => void
}

/** Conekta's card form in its own iframe; our pay button submits it (S1-7.50). */
export default function ConektaFields({ ref, site, publicKey, onReady, onFailed }: ConektaFieldsProps) {
  const id = `conekta${useId().replace(/\W/g, '')}`
  const [shown, setShown] = useState(false)
  const submit = useRef<(() => unknown) | null>(null)
  const pendingToken = useRef<{ resolve(token: string): void; reject(problem: unknown): void } | null>(null)

  useEffect(() => {
    let unmounted = false
    const refuse = (message?: string) => {
      pendingToken.current?.reject({
        code: 'CARD_FORMAT',
        ...accountErrors.CARD_FORMAT,
        ...(message ? { code: 'CONEKTA', message } : {}),
        data: {},
      })
      pendingToken.current = null
    }
    loadProviderScript(`${site}/v1.0/js/conekta-checkout.min.js`, { crossorigin: 'anonymous' })
      .then(() => {
        if (unmounted) return
        fromScript<Tokenizer>('ConektaCheckoutComponents').Card({
          config: { targetIFrame: `#${id}`, publicKey, locale: 'es', useExternalSubmit: true },
          callbacks: {
            onGetInfoSuccess: () => setShown(true),
            onUpdateSubmitTrigger(send) {
              submit.current = send
              setShown(true)
              onReady(true)
            },
            onFormError: () => refuse(),
            onCreateTokenSucceeded(token) {
              pendingToken.current?.resolve(token.id)
              pendingToken.current = null
            },
            onCreateTokenError: (problem) => refuse(problem.details?.[0]?.message ?? problem.message),
          },
          allowTokenization: true,
        })
      })
      .catch(() => {
        if (!unmounted) onFailed()
      })
    return () => {
      unmounted = true
      submit.current = null
      onReady(false)
    }
  }, [site, publicKey, id, onReady, onFailed])

  useImperativeHandle(ref, () => ({
    tokenize: () =>
      new Promise((resolve, reject) => {
        if (!submit.current) return reject({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })
        pendingToken.current = { resolve, reject }
        submit.current()
      }),
  }))

  return (
    <>
      {!shown && <Skeleton height="292px" />}
      <div id={id} className="card-conekta" hidden={!shown} />
    </>
  )
}
