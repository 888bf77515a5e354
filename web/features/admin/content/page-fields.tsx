import { lazy, Suspense } from 'react'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Segmented, Switch } from '#web/ui/choice.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { type PageDraft, slugOf } from './page-draft.ts'
import type { PageDraftState } from './use-page-draft.ts'

const HtmlEditor = lazy(() => import('./html-editor.tsx'))
const QuestionsEditor = lazy(() => import('./questions-editor.tsx'))

interface PageFieldsProps {
  page: PageDraftState
  /** sentences by field */
  problems: Readonly<Partial<Record<string, string>>>
}

/** The form of a page: title, address, text, conditions, and what search engines show. */
export function PageFields({ page, problems }: PageFieldsProps) {
  const { base, draft, set, type, canBePairs, isPairs, edition } = page
  return (
    <div className="record-fields">
      <div className="record-pair">
        <TextField
          label="Título"
          maxLength={200}
          autoComplete="off"
          error={problems.title}
          value={draft.title}
          onChange={({ currentTarget: { value } }) =>
            set({ title: value, ...(!base && draft.slug === slugOf(draft.title) ? { slug: slugOf(value) } : {}) })
          }
        />
        <TextField
          label="Dirección"
          maxLength={80}
          autoComplete="off"
          hint="Los enlaces que ya compartiste llevan la de antes."
          before="/"
          error={problems.slug}
          value={draft.slug}
          onChange={(event) => set({ slug: event.currentTarget.value })}
        />
      </div>
      {canBePairs && (
        <div className="page-mode">
          <Segmented
            label="Cómo se edita"
            options={[
              { value: 'pairs', label: 'Preguntas' },
              { value: 'text', label: 'Texto' },
            ]}
            value={isPairs ? 'pairs' : 'text'}
            onChange={(mode) => page.setPairs(mode === 'pairs')}
          />
        </div>
      )}
      <Suspense fallback={<ListSkeleton rows={6} />}>
        {canBePairs && isPairs ? (
          <QuestionsEditor key={edition} start={draft.content} onChange={type} />
        ) : (
          <HtmlEditor key={edition} label="Texto" start={draft.content} error={problems.content} onChange={type} />
        )}
      </Suspense>
      <PageConditions draft={draft} set={set} />
      <details className="page-more">
        <summary>Buscadores y vistas previas</summary>
        <TextField
          label="Título para buscadores"
          optional
          maxLength={90}
          autoComplete="off"
          hint="Vacío: el de la página."
          error={problems.seo_title}
          value={draft.seo_title}
          onChange={(event) => set({ seo_title: event.currentTarget.value })}
        />
        <TextArea
          label="Descripción para buscadores"
          optional
          rows={2}
          maxLength={200}
          hint="Vacía: el lema de tu estudio."
          error={problems.seo_description}
          value={draft.seo_description}
          onChange={(event) => set({ seo_description: event.currentTarget.value.replaceAll('\n', ' ') })}
        />
      </details>
    </div>
  )
}

/** Whether it is on the site, and when people have to accept it. */
function PageConditions({ draft, set }: { draft: PageDraft; set: (change: Partial<PageDraft>) => void }) {
  return (
    <div className="stack gap-8">
      <Switch
        checked={draft.published}
        hint="Si no, solo la ve tu equipo, y a nadie se le pide aceptarla."
        onChange={(event) => set({ published: event.currentTarget.checked })}
      >
        En el sitio
      </Switch>
      <Switch
        checked={draft.required_signup}
        hint="Sin aceptarla nadie se registra."
        onChange={(event) => set({ required_signup: event.currentTarget.checked })}
      >
        Se acepta al registrarse
      </Switch>
      <Switch
        checked={draft.required}
        hint="Se pide al entrar. Sin aceptarla nadie reserva ni compra."
        onChange={(event) => set({ required: event.currentTarget.checked })}
      >
        Se acepta para usar el estudio
      </Switch>
    </div>
  )
}
