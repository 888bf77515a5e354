import { IconCheck, IconFileImport } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { OnboardingStep } from '#contract/onboarding.ts'
import { PersonMenu } from '#web/features/admin/frame/person-menu.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { StepsProvider } from './step-form.tsx'
import { STEP_MINUTES } from './step-order.ts'
import './onboarding.css'

interface OnboardingFrameProps {
  steps: readonly OnboardingStep[]
  step: OnboardingStep
  children: ReactNode
}

/** The frame of the first steps: instead of the menu the ten steps, with what is done. */
export function OnboardingFrame({ steps, step, children }: OnboardingFrameProps) {
  const { business_name } = useSite()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="admin steps-frame">
      <meta name="robots" content="noindex, nofollow" />
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <nav className="admin-side" aria-label="Primeros pasos">
        <AppLink to={adminPaths.today} className="admin-brand" aria-label={`${business_name}, administración`}>
          <Brand ground="stage" />
        </AppLink>
        <StepList steps={steps} step={step} linkClass="admin-link" />
        <AppLink to={adminPaths.imports} className="admin-link steps-import">
          <IconFileImport className="icon" aria-hidden="true" />
          <span className="admin-text">Ya tengo otro sistema</span>
        </AppLink>
        <PersonMenu />
      </nav>
      <StepsProvider steps={steps} step={step} onList={() => setIsOpen(true)}>
        {children}
      </StepsProvider>
      <Drawer open={isOpen} onClose={() => setIsOpen(false)} label="Primeros pasos" head={<Brand />} foot={null}>
        <StepList steps={steps} step={step} linkClass="drawer-row" onGo={() => setIsOpen(false)} />
      </Drawer>
      <Toaster />
    </div>
  )
}

interface StepListProps {
  steps: readonly OnboardingStep[]
  step: OnboardingStep
  linkClass: string
  onGo?: () => void
}

const STATE_LABELS = { done: 'hecho', skipped: 'se saltó', pending: 'falta' } as const

function StepList({ steps, step, linkClass, onGo }: StepListProps) {
  return (
    <ol className="steps-list">
      {steps.map(({ key, title, state }, at) => (
        <li key={key}>
          <AppLink
            to={adminPaths.onboardingStep(key)}
            className={linkClass}
            aria-current={key === step.key ? 'step' : undefined}
            onClick={onGo}
          >
            <span className={`steps-mark steps-mark-${state}`} aria-hidden="true">
              {state === 'done' ? <IconCheck className="icon" /> : at + 1}
            </span>
            <span className="admin-text grow">
              {title}
              <span className="sr-only">, {STATE_LABELS[state]}</span>
            </span>
            {state !== 'done' && <span className="admin-text small steps-minutes">{STEP_MINUTES[key]} min</span>}
          </AppLink>
        </li>
      ))}
    </ol>
  )
}
