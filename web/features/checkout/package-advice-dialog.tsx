import { type ReactNode, useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { CardPackage } from './card-package.ts'
import { type AdviceInput, cheaperWithLimits, cheapestPackage } from './package-advice.ts'

const PER_WEEK = ['1', '2', '3', '4', '5'] as const

interface AdviceDialogProps {
  packages: readonly CardPackage[]
  onClose: () => void
}

/** '¿Cuál me conviene?': three questions, and the package that costs the least for those answers, with its arithmetic. */
export default function PackageAdviceDialog({ packages, onClose }: AdviceDialogProps) {
  const [perWeek, setPerWeek] = useState<(typeof PER_WEEK)[number]>('2')
  const [company, setCompany] = useState<'alone' | 'guest'>('alone')
  const [renewal, setRenewal] = useState<'any' | 'yes' | 'no'>('any')
  const hasBoth = new Set(packages.map((classPackage) => classPackage.is_subscription)).size > 1
  const input: AdviceInput = {
    perWeek: Number(perWeek),
    withGuest: company === 'guest',
    renews: renewal === 'any' ? null : renewal === 'yes',
  }
  const best = cheapestPackage(packages, input)
  const limited = cheaperWithLimits(packages, input)
  return (
    <Dialog
      open
      onClose={onClose}
      title="¿Cuál me conviene?"
      actions={
        best && (
          <Button as="a" href={paths.checkout(best.classPackage.class_package_id)}>
            {best.classPackage.texts.verb}: {best.classPackage.title}
          </Button>
        )
      }
    >
      <div className="stack gap-16">
        <Question text="¿Cuántas veces por semana quieres venir?">
          <Segmented
            label="¿Cuántas veces por semana quieres venir?"
            options={PER_WEEK.map((value) => ({ value, label: value }))}
            value={perWeek}
            onChange={setPerWeek}
          />
        </Question>
        <Question text="¿Vienes con alguien?">
          <Segmented
            label="¿Vienes con alguien?"
            options={[
              { value: 'alone', label: 'Vengo por mi cuenta' },
              { value: 'guest', label: 'Con un invitado' },
            ]}
            value={company}
            onChange={setCompany}
          />
        </Question>
        {hasBoth && (
          <Question text="¿Quieres que se renueve sola?">
            <Segmented
              label="¿Quieres que se renueve sola?"
              options={[
                { value: 'any', label: 'Me da igual' },
                { value: 'yes', label: 'Sí' },
                { value: 'no', label: 'No' },
              ]}
              value={renewal}
              onChange={setRenewal}
            />
          </Question>
        )}
        <div aria-live="polite" className="stack gap-8">
          {best ? (
            <Banner tone="brand" title={`${best.classPackage.title}: ${best.classPackage.texts.price}`}>
              Cada clase te sale en {formatMoney(best.perClass)}, unos {formatMoney(best.perMonth)} al mes. Contamos las clases que
              vencerían sin usarse, y ningún otro paquete sin límite de horario o lugar sale más barato así.
            </Banner>
          ) : (
            !limited && <Banner>Con esas respuestas no hay un paquete que alcance. Cambia alguna, o escríbenos.</Banner>
          )}
          {limited && (
            <Banner title={`Con límite: ${limited.classPackage.title}, ${limited.classPackage.texts.price}`}>
              Cada clase te sale en {formatMoney(limited.perClass)}. {limited.classPackage.limits.join('. ')}.{' '}
              <a className="link" href={paths.checkout(limited.classPackage.class_package_id)}>
                {limited.classPackage.texts.verb}: {limited.classPackage.title}
              </a>
            </Banner>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Question({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="stack gap-8">
      <p className="strong" aria-hidden="true">
        {text}
      </p>
      {children}
    </div>
  )
}
