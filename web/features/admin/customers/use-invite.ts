/** The invitation to create an account or, for a customer who has one, the link for a new password. */
import { useQueryClient } from '@tanstack/react-query'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'

export function useInvite() {
  const client = useQueryClient()
  return useIdempotentMutation(api.customerRecords.invite, {
    onSuccess({ sent }) {
      showAlert('success', sent === 'invitation' ? 'Invitación enviada.' : 'Enlace enviado.')
      void client.invalidateQueries({ queryKey: queries.customerRecords.timeline.key() })
    },
    onError: alertFailure,
  })
}

/** What is sent to a customer, by whether they have an account. */
export const inviteLabel = (hasAccount: boolean): string => (hasAccount ? 'Enviar enlace para contraseña' : 'Invitar a crear su cuenta')
