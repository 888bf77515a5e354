import { renderToStaticMarkup as html } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Avatar } from './avatar.tsx'
import { Button, IconButton } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { RadioCards, Segmented, Switch } from './choice.tsx'
import { DefinitionList } from './definition-list.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { EmailText } from './email-text.tsx'
import { PasswordField, Select, TextField } from './field.tsx'
import { Marks } from './marks.tsx'
import { PackageNumber } from './package-number.tsx'
import { Pager } from './pager.tsx'
import { Price } from './price.tsx'
import { SpotMap } from './spot-map.tsx'
import { dayTabId, WeekStrip } from './week-strip.tsx'

const none = (): void => undefined
/** The text that a screen reader reads: the markup without tags. */
const text = (markup: string): string => markup.replace(/<[^>]+>/g, '').trim()
const attribute = (markup: string, name: string): string[] =>
  [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '')

test('an email address breaks before its @, and is read as one word', () => {
  const markup = html(<EmailText address="julia.57206142@correo.test" />)
  expect(markup).toBe('julia.57206142<wbr/>@correo.test')
  expect(text(markup)).toBe('julia.57206142@correo.test')
  expect(html(<EmailText address="" />)).toBe('')
})

describe('buttons', () => {
  test('a button does not submit a form by default, a link stays a link', () => {
    expect(html(<Button>Reservar</Button>)).toMatch(/^<button type="button"/)
    expect(html(<Button type="submit">Pagar</Button>)).toContain('type="submit"')
    const link = html(
      <Button as="a" href="/paquetes">
        Ver Paquetes
      </Button>,
    )
    expect(link).toMatch(/^<a href="\/paquetes"/)
    expect(link).not.toContain('type=')
  })

  test('the reason why it cannot be used is shown under it and read with it; it stays focusable', () => {
    const markup = html(<Button reason="Reservas abren el vie 20 nov, 08:00.">Reservar</Button>)
    const [described] = attribute(markup, 'aria-describedby')
    expect(markup).toContain(`id="${described}"`)
    expect(markup).toContain('aria-disabled="true"')
    expect(markup).not.toContain(' disabled')
    expect(text(markup)).toContain('Reservas abren')
  })

  test('while loading it keeps its text, for its accessible name and its width', () => {
    const markup = html(<Button loading>Pagar $1,160.00</Button>)
    expect(text(markup)).toBe('Pagar $1,160.00')
    expect(markup).toContain('aria-busy="true"')
  })

  test('an icon button has an accessible name', () => {
    expect(html(<IconButton label="Cerrar">×</IconButton>)).toContain('aria-label="Cerrar"')
  })
})

test('a confirmation is read with its title: its text and its consequence', () => {
  const markup = html(
    <ConfirmDialog
      open
      onClose={none}
      onConfirm={none}
      yes="Sí, eliminar"
      no="No, conservarla"
      consequence={{ tone: 'warn', text: 'No vuelve.' }}
    >
      ¿Quieres eliminarla?
    </ConfirmDialog>,
  )
  const [described = ''] = attribute(markup, 'aria-describedby')
  const [question, consequence] = described.split(' ')
  expect(markup).toContain(`<div id="${question}">¿Quieres eliminarla?`)
  expect(markup).toMatch(new RegExp(`<div id="${consequence}" class="notice[^>]*>.*No vuelve`))
})

describe('fields', () => {
  test('label, error and hint belong to the control, the error first', () => {
    const markup = html(<TextField label="Teléfono" hint="Diez dígitos" error="El formato del teléfono no es correcto." />)
    const [id] = attribute(markup, 'for')
    expect(attribute(markup, 'id')).toContain(id)
    const [described = ''] = attribute(markup, 'aria-describedby')
    expect(described.split(' ')).toEqual([`${id}-error`, `${id}-hint`])
    for (const part of described.split(' ')) expect(markup).toContain(`id="${part}"`)
    expect(markup).toContain('aria-invalid="true"')
  })

  test('an optional field says so and is not required', () => {
    expect(text(html(<TextField label="Instagram" optional />))).toBe('Instagram (Opcional)')
    expect(html(<TextField label="Instagram" optional />)).not.toContain('required')
    expect(html(<TextField label="Nombre" />)).toContain('required')
  })

  test('a password starts hidden and can be shown', () => {
    const markup = html(<PasswordField label="Contraseña" name="password" />)
    expect(markup).toContain('type="password"')
    expect(markup).toMatch(/aria-label="Mostrar contraseña"/)
    expect(html(<PasswordField label="Confirma tu contraseña" shows="Mostrar la confirmación" />)).toContain(
      'aria-label="Mostrar la confirmación"',
    )
    expect(markup).toContain('aria-pressed="false"')
  })

  test('choices are native: a form sends them and arrows move among them', () => {
    const options = [
      { value: 'diez', title: 'Diez', detail: 'Vence el 15 dic 2026', panel: 'abierto' },
      { value: 'cinco', title: 'Cinco', panel: 'cerrado' },
    ]
    const markup = html(<RadioCards legend="Se usarán 2 créditos de" options={options} value="diez" onChange={none} />)
    expect(markup).toContain('<legend')
    expect(new Set(attribute(markup, 'name')).size).toBe(1)
    expect(text(markup)).toContain('abierto')
    expect(text(markup)).not.toContain('cerrado')
    expect(html(<Segmented label="Filtro" options={[{ value: 'a', label: 'Todas' }]} value="a" onChange={none} />)).toContain(
      'role="radiogroup" aria-label="Filtro"',
    )
    expect(html(<Switch>Recordatorios</Switch>)).toContain('role="switch"')
    const hinted = html(<Switch hint="Usa un crédito más.">Llevo un invitado</Switch>)
    const idOf = (text: string) => new RegExp(`id="([^"]+)"[^>]*>${text}`).exec(hinted)?.[1]
    expect(attribute(hinted, 'aria-labelledby')).toEqual([idOf('Llevo un invitado')])
    expect(attribute(hinted, 'aria-describedby')).toEqual([idOf('Usa un crédito más.')])
    expect(html(<Select label="Género">{<option>Mujer</option>}</Select>)).toContain('<option>Mujer</option>')
    expect(html(<Checkbox error="Debes aceptar">Acepto</Checkbox>)).toContain('aria-invalid="true"')
  })
})

describe('drawings have text alternatives', () => {
  test('an old price is struck through and named for screen readers', () => {
    expect(text(html(<Price now="$2,190.00" before="$2,450.00" />))).toBe('$2,190.00Precio anterior: $2,450.00')
    expect(html(<Price now="$150.00" />)).not.toContain('<s')
  })

  test('unlimited classes are a drawing with an accessible name', () => {
    expect(html(<PackageNumber classes={-1} unit="clases sin límite" />)).toContain('role="img" aria-label="Ilimitado"')
    expect(text(html(<PackageNumber classes={10} unit="clases" />))).toBe('10clases')
  })

  test('marks and initials are hidden from screen readers', () => {
    expect(html(<Marks capacity={12} taken={4} />)).toMatch(/^<span aria-hidden="true"/)
    expect(html(<Avatar name="Ana Sofía Treviño" />)).toMatch(/aria-hidden="true"[^>]*>AT</)
    expect(html(<Avatar name="Ana" src="/arte/avatar-ana.svg" />)).toContain('alt=""')
  })

  test('a definition list leaves out items without a value; a pager of one page renders nothing', () => {
    expect(
      text(
        html(
          <DefinitionList
            items={[
              ['Total', '$1.00'],
              ['Siguiente cargo', null],
            ]}
          />,
        ),
      ),
    ).toBe('Total$1.00')
    expect(html(<Pager page={1} pages={1} onPage={none} />)).toBe('')
    expect(text(html(<Pager page={1} pages={12} onPage={none} />))).toBe('Página 1 / 12')
  })
})

describe('the spot map', () => {
  const map = (more: Partial<Parameters<typeof SpotMap>[0]> = {}): string =>
    html(<SpotMap rows={[2, 3]} taken={new Set(['1-1', '2-2'])} value="2-1" guest="2-3" onChoose={none} {...more} />)

  test('every seat has its row, number and state as its name; taken seats can be focused but not chosen', () => {
    const seats = [...map().matchAll(/<button[^>]*>/g)].map(([seat]) => seat)
    expect(seats.map((seat) => attribute(seat, 'aria-label')[0])).toEqual([
      'Fila 1, lugar 1, ocupado',
      'Fila 1, lugar 2, disponible',
      'Fila 2, lugar 1, elegido',
      'Fila 2, lugar 2, ocupado',
      'Fila 2, lugar 3, de tu invitado',
    ])
    expect(seats.map((seat) => attribute(seat, 'aria-disabled').length)).toEqual([1, 0, 0, 1, 1])
    expect(map()).not.toContain(' disabled')
  })

  test('there is one tab stop: my seat, else the first free one', () => {
    const stop = (markup: string) =>
      attribute([...markup.matchAll(/<button[^>]*tabindex="0"[^>]*>/gi)].map(([seat]) => seat).join(''), 'aria-label')
    expect(stop(map())).toEqual(['Fila 2, lugar 1, elegido'])
    expect(stop(map({ value: null }))).toEqual(['Fila 1, lugar 2, disponible'])
  })

  test('when choosing for the guest, the seat of the guest is checked and mine cannot be chosen', () => {
    const markup = map({ choosing: 'guest' })
    expect(markup).toContain('aria-label="Elige el lugar de tu invitado"')
    expect(markup).toMatch(/aria-checked="true"[^>]*aria-label="Fila 2, lugar 3, de tu invitado"/)
    expect(markup).toMatch(/aria-disabled="true" aria-label="Fila 2, lugar 1, elegido"/)
  })
})

test('the week strip is a tab list: one tab stop, today in words, and what I have on each day', () => {
  const days = ['lun', 'mar', 'mié'].map((weekday, at) => ({
    date: `2026-11-${16 + at}`,
    weekday,
    number: String(16 + at),
    ariaLabel: `${['lunes', 'martes', 'miércoles'][at]} ${16 + at} de noviembre`,
    today: at === 1,
    mine: at === 2,
  }))
  const markup = html(<WeekStrip days={days} chosen="2026-11-18" onChoose={none} panel="dia" />)
  expect(markup).toContain('role="tablist"')
  expect((markup.match(/tabindex="0"/gi) ?? []).length).toBe(1)
  expect(markup).toContain(`id="${dayTabId('dia', '2026-11-18')}"`)
  const tabs = [...markup.matchAll(/<span class="sr-only">(.*?)<\/span>/g)].map(([, name]) => name)
  expect(tabs).toEqual(['lunes 16 de noviembre', 'Hoy, martes 17 de noviembre', 'miércoles 18 de noviembre, tienes clase'])
})
