import { useMutation } from '@tanstack/react-query'
import type { BroadcastButton } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { TEST_LABELS } from './broadcast-text.ts'

interface TestButtonsProps {
  channels: readonly BroadcastChannel[]
  subject: string
  text: string
  button: BroadcastButton
}

/** Sends a message to oneself, by each of its channels; nothing while it has no words. */
export function TestButtons({ channels, button, ...typed }: TestButtonsProps) {
  const texts = { subject: typed.subject.trim(), text: typed.text.trim(), button }
  const test = useMutation({
    meta: { handled: true },
    mutationFn: (channel: BroadcastChannel) => api.broadcasts.test({ channel, ...texts }),
    onSuccess: ({ to }) => showAlert('success', `Prueba enviada a ${to}.`),
    onError: (error) => showAlert('alert', toFailure(error).message),
  })
  return (texts.subject && texts.text ? channels : []).map((channel) => (
    <Button key={channel} variant="quiet" loading={test.isPending && test.variables === channel} onClick={() => test.mutate(channel)}>
      {TEST_LABELS[channel]}
    </Button>
  ))
}
