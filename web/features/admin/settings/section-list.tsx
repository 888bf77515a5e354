import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { orderedSections, reordered, type Section } from './section-order.ts'
import type { Typed } from './setting-draft.ts'
import { settingId } from './setting-row.tsx'

interface SectionListProps {
  /** the values that the studio would have with what is typed */
  values: Readonly<Record<string, unknown>>
  byKey: ReadonlyMap<string, EditedSetting>
  onChange: (setting: EditedSetting, typed: Typed) => void
}

/** The sections of the landing page in their order: each shown or not, moved up and down. */
export function SectionList({ values, byKey, onChange }: SectionListProps) {
  const sections = orderedSections(values)
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<{ key: string; by: 1 | -1 } | null>(null)
  useEffect(() => {
    // The browser takes the focus from an element that is moved: it stays on the section, on the other button at an end of the list.
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-section="${moved?.key}"] button`)
    const wanted = buttons?.[moved?.by === -1 ? 0 : 1]
    ;(wanted?.ariaDisabled === 'true' ? buttons?.[moved?.by === -1 ? 1 : 0] : wanted)?.focus()
  }, [moved])

  function set(key: string, typed: Typed) {
    const setting = byKey.get(key)
    if (setting) onChange(setting, typed)
  }
  function move(section: Section, by: 1 | -1) {
    for (const [key, order] of reordered(sections, section.key, by)) set(key, String(order))
    setMoved({ key: section.key, by })
  }
  const at = moved ? sections.findIndex(({ key }) => key === moved.key) : -1
  return (
    <>
      <ul className="section-list" ref={list}>
        {sections.map((section, index) => (
          <li key={section.key} data-section={section.key} id={settingId(section.enabledKey)}>
            <span id={settingId(section.orderKey)} className="section-moves">
              <IconButton bare label={`Subir ${section.name}`} aria-disabled={index === 0} onClick={() => index > 0 && move(section, -1)}>
                <IconArrowUp className="icon" aria-hidden="true" />
              </IconButton>
              <IconButton
                bare
                label={`Bajar ${section.name}`}
                aria-disabled={index === sections.length - 1}
                onClick={() => index < sections.length - 1 && move(section, 1)}
              >
                <IconArrowDown className="icon" aria-hidden="true" />
              </IconButton>
            </span>
            <Switch checked={section.isShown} onChange={(event) => set(section.enabledKey, event.currentTarget.checked)}>
              {section.name}
            </Switch>
          </li>
        ))}
      </ul>
      <p className="sr-only" role="status">
        {at >= 0 && `${sections[at]?.name} ahora es la sección ${at + 1} de ${sections.length}.`}
      </p>
    </>
  )
}
