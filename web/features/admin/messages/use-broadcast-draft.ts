import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { BROADCAST_TEXT_MAX, BROADCAST_WHATSAPP_MAX, type BroadcastAudience, type BroadcastButton } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import { fromWallClock } from '#contract/time.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'

/** Where the people of a broadcast come from: a segment, a class, or the rows selected in the list of customers. */
export type AudienceSource = 'segmento' | 'clase' | 'seleccion'

/** The people who were selected in the list of customers, as its menu hands them over. */
interface SelectedCustomers {
  audience: BroadcastAudience
  count: number
}

type BroadcastField = 'audience' | 'channels' | 'subject' | 'text' | 'at'

/** What is typed and chosen in a new broadcast. `at` is the wall clock of the studio, '' = now. */
export interface BroadcastDraft {
  source: AudienceSource
  segment: string
  cls: string
  channels: readonly BroadcastChannel[]
  subject: string
  text: string
  button: BroadcastButton
  at: string
}

export interface BroadcastForm {
  draft: BroadcastDraft
  set: (change: Partial<BroadcastDraft>) => void
  selected: SelectedCustomers | null
  /** null until one is chosen */
  audience: BroadcastAudience | null
  /** subject, text and button as they are sent */
  texts: { subject: string; text: string; button: BroadcastButton }
  /** the time of sending, as in the request; null = now */
  sendAt: string | null
  problems: Partial<Record<BroadcastField, string>>
  problemOf: (field: BroadcastField) => string | undefined
  /** Makes `problemOf` return problems from now on. */
  showProblems: () => void
}

/** The customers that an address names, "12,34"; null = none. */
function namedCustomers(ids: string | null): SelectedCustomers | null {
  if (ids === null || !/^[1-9]\d{0,8}(,[1-9]\d{0,8}){0,99}$/.test(ids)) return null
  const customer_ids = [...new Set(ids.split(',').map(Number))]
  return { audience: { customer_ids }, count: customer_ids.length }
}

/** The draft of a broadcast; its address may name a segment, a class or customers, its history entry a selection. */
export function useBroadcastDraft(): BroadcastForm {
  const { zone } = useSite()
  const now = new Date(useNow())
  const [address] = useSearchParams()
  const { state } = useLocation()
  const selected =
    state !== null && typeof state === 'object' && 'audience' in state
      ? (state as SelectedCustomers)
      : namedCustomers(address.get('clientes'))
  const [draft, setDraft] = useState<BroadcastDraft>({
    source: selected ? 'seleccion' : address.get('clase') ? 'clase' : 'segmento',
    segment: address.get('segmento') ?? '',
    cls: address.get('clase') ?? '',
    channels: ['mail', 'app'],
    subject: '',
    text: '',
    button: 'none',
    at: '',
  })
  const [checked, setChecked] = useState(false)
  const { source, segment, cls, channels, button, at } = draft
  const audiences: Readonly<Record<AudienceSource, BroadcastAudience | null>> = {
    seleccion: selected?.audience ?? null,
    segmento: segment ? { segment_id: Number(segment) } : null,
    clase: cls ? { single_class_id: Number(cls) } : null,
  }
  const audience = audiences[source]
  const texts = { subject: draft.subject.trim(), text: draft.text.trim(), button }
  const sendAt = at ? fromWallClock(new Date(`${at}:00.000Z`), zone) : null
  const longest = channels.includes('whatsapp') ? BROADCAST_WHATSAPP_MAX : BROADCAST_TEXT_MAX
  const problems: BroadcastForm['problems'] = {
    ...(audience ? {} : { audience: source === 'segmento' ? 'Elige un segmento.' : 'Elige una clase.' }),
    ...(channels.length ? {} : { channels: 'Elige por dónde.' }),
    ...(texts.subject ? {} : { subject: 'Escribe el asunto.' }),
    ...(texts.text
      ? texts.text.length > longest
        ? { text: `Por WhatsApp caben ${longest} caracteres; llevas ${texts.text.length}.` }
        : {}
      : { text: 'Escribe el mensaje.' }),
    ...(sendAt && sendAt <= now ? { at: 'Esa hora ya pasó.' } : {}),
  }
  return {
    draft,
    selected,
    audience,
    texts,
    problems,
    sendAt: sendAt?.toISOString() ?? null,
    set: (change) => setDraft((current) => ({ ...current, ...change })),
    problemOf: (field) => (checked ? problems[field] : undefined),
    showProblems: () => setChecked(true),
  }
}
