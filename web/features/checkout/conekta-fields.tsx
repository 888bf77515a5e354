import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { fromScript, loadProviderScript } from '#web/lib/provider-script.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import './card-fields.css'

/** What we use of Conekta's tokenizer, typed by hand: it draws a form in a frame of its own (payments study section 1.4). */
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
  /** Conekta does not say whether its fields are complete: once they are there, the form itself says what is missing */
  onReady: (ready: boolean) => void
  onFailed: () => void
}

/** Conekta's card form in its own frame; our pay button sends it (S1-7.50). */
export default function ConektaFields({ ref, site, publicKey, onReady, onFailed }: ConektaFieldsProps) {
  const id = `conekta${useId().replace(/\W/g, '')}`
  const [shown, setShown] = useState(false)
  const submit = useRef<(() => unknown) | null>(null)
  const asked = useRef<{ resolve(token: string): void; reject(problem: unknown): void } | null>(null)

  useEffect(() => {
    let gone = false
    const refuse = (message?: string) => {
      asked.current?.reject({
        code: 'CARD_FORMAT',
        ...accountErrors.CARD_FORMAT,
        ...(message ? { code: 'CONEKTA', message } : {}),
        data: {},
      })
      asked.current = null
    }
    loadProviderScript(`${site}/v1.0/js/conekta-checkout.min.js`, { crossorigin: 'anonymous' })
      .then(() => {
        if (gone) return
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
              asked.current?.resolve(token.id)
              asked.current = null
            },
            onCreateTokenError: (problem) => refuse(problem.details?.[0]?.message ?? problem.message),
          },
          allowTokenization: true,
        })
      })
      .catch(() => {
        if (!gone) onFailed()
      })
    return () => {
      gone = true
      submit.current = null
      onReady(false)
    }
  }, [site, publicKey, id, onReady, onFailed])

  useImperativeHandle(ref, () => ({
    tokenize: () =>
      new Promise((resolve, reject) => {
        if (!submit.current) return reject({ code: 'PAYMENT_TRY_LATER', ...accountErrors.PAYMENT_TRY_LATER })
        asked.current = { resolve, reject }
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
