/**
 * Renders the photographs of the demo studio Fragua into server/demo/photos: light, haze and silhouettes of a hall at night, drawn layer by
 * layer like the planes of a lens and joined with sharp. No photograph is used. Usage: node scripts/demo-photos.mjs
 */
import sharp from 'sharp'

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One plane of the picture: SVG out of focus by `blur` pixels, joined with `blend`. */
const plane = (inside, { blur = 0, blend = 'over', defs = '' } = {}) => ({ inside, blur, blend, defs })

async function photo(name, width, height, base, planes, { grain = 10, seed = 7, vignette = 0.5, exposure = 1.45 } = {}) {
  const svg = (inside, defs = '') =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${defs}</defs>${inside}</svg>`,
    )
  let image = await sharp(svg(base.inside, base.defs)).removeAlpha().png().toBuffer()
  for (const { inside, blur, blend, defs } of planes) {
    const layer = sharp(svg(inside, defs)).png()
    const input = await (blur ? sharp(await layer.toBuffer()).blur(blur) : layer).png().toBuffer()
    image = await sharp(image).composite([{ input, blend }]).png().toBuffer()
  }
  const random = randomOf(seed)
  const noise = Buffer.alloc(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    const value = 128 + (random() + random() + random() - 1.5) * grain * 4
    noise.fill(value, at * 4, at * 4 + 3)
    noise[at * 4 + 3] = 255
  }
  const corners = svg(
    `<rect width="100%" height="100%" fill="url(#v)"/>`,
    `<radialGradient id="v" cx=".55" cy=".45" r=".8"><stop offset=".45" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="${vignette}"/></radialGradient>`,
  )
  const film = await sharp(noise, { raw: { width, height, channels: 4 } })
    .blur(0.6)
    .png()
    .toBuffer()
  const exposed = await sharp(image).removeAlpha().linear(exposure, 0).gamma(1.25).toBuffer()
  await sharp(exposed)
    .composite([{ input: corners }, { input: film, blend: 'soft-light' }])
    .removeAlpha()
    .webp({ quality: 62, effort: 6, smartSubsample: true })
    .toFile(new URL(`../server/demo/photos/${name}.webp`, import.meta.url).pathname)
}

const stops = (...list) =>
  list.map(([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join('')
const linear = (id, at, ...list) => `<linearGradient id="${id}" ${at}>${stops(...list)}</linearGradient>`
const radial = (id, at, ...list) => `<radialGradient id="${id}" ${at}>${stops(...list)}</radialGradient>`
const DOWN = 'x1="0" y1="0" x2="0" y2="1"'
const ACROSS = 'x1="0" y1="0" x2="1" y2="0"'

/** Smoke: fractal noise in one colour, dense where `mask` is bright. */
const haze = (id, colour, frequency, seed, opacity, mask = '') => ({
  defs: `<filter id="${id}" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="5" seed="${seed}"/><feColorMatrix values="0 0 0 0 ${colour[0]} 0 0 0 0 ${colour[1]} 0 0 0 0 ${colour[2]} 1.9 .6 0 0 -.95"/></filter>${mask ? `<mask id="${id}m">${mask}</mask>` : ''}`,
  inside: `<g ${mask ? `mask="url(#${id}m)"` : ''} opacity="${opacity}"><rect width="100%" height="100%" filter="url(#${id})"/></g>`,
})

/** A lamp with its cone of light. */
const lampGlow = (x, y, r, tall, wide) =>
  `<polygon points="${x - r * 0.8},${y} ${x + r * 0.8},${y} ${x + wide},${y + tall} ${x - wide},${y + tall}" fill="url(#cone)"/>`
const lampBulb = (x, y, r) =>
  `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 0.42}" fill="#fff3dc"/><ellipse cx="${x}" cy="${y}" rx="${r * 2.6}" ry="${r * 1.7}" fill="url(#glow)"/>`
const lampHood = (x, y, r) =>
  `<path d="M${x} ${y - 400}V${y - r * 1.2}" stroke="#070605" stroke-width="${r * 0.1}"/><path d="M${x - r * 0.3} ${y - r * 1.25}h${r * 0.6}l${r * 0.95} ${r * 1.2}h${-r * 2.5}z" fill="#0a0807"/>`
const LAMP = `${linear('cone', DOWN, [0, '#ffb26b', 0.5], [0.5, '#ff8a3c', 0.13], [1, '#ff6a20', 0])}${radial('glow', '', [0, '#ffd29a', 0.95], [0.35, '#ff9a4a', 0.4], [1, '#ff6a20', 0])}`

/** A heavy bag hanging from its chain: dark leather, lit at its edges. */
function bag(id, x, top, wide, tall, { left = 0.25, right = 0.9, hue = '#ff7a35' } = {}) {
  const cap = wide * 0.16
  const seams = [0.2, 0.52, 0.84]
    .map(
      (at) =>
        `<path d="M${x} ${top + tall * at}q${wide / 2} ${wide * 0.09} ${wide} 0" stroke="#000" stroke-opacity=".5" stroke-width="${wide * 0.018}" fill="none"/><path d="M${x} ${top + tall * at + wide * 0.022}q${wide / 2} ${wide * 0.09} ${wide} 0" stroke="${hue}" stroke-opacity=".13" stroke-width="${wide * 0.012}" fill="none"/>`,
    )
    .join('')
  const chains = [0.14, 0.5, 0.86]
    .map(
      (at) =>
        `<path d="M${x + wide * at} ${top + cap * 0.3}L${x + wide / 2} ${top - wide * 0.95}" stroke="#2a211b" stroke-width="${wide * 0.03}" stroke-dasharray="${wide * 0.05} ${wide * 0.02}"/>`,
    )
    .join('')
  return {
    defs: `${linear(id, ACROSS, [0, hue, left], [0.07, '#5a2c17', 0.9 * left + 0.1], [0.26, '#17110e'], [0.62, '#120d0b'], [0.86, '#4a2513'], [0.955, hue, right], [1, '#ffc58f', right])}${linear(`${id}d`, DOWN, [0, '#000', 0.55], [0.3, '#000', 0], [0.75, '#000', 0.05], [1, '#000', 0.7])}`,
    inside: `<path d="M${x + wide / 2} ${top - wide * 0.95}V-20" stroke="#1b1511" stroke-width="${wide * 0.035}"/>${chains}<rect x="${x}" y="${top}" width="${wide}" height="${tall}" rx="${wide * 0.2}" fill="#0d0a08"/><rect x="${x}" y="${top}" width="${wide}" height="${tall}" rx="${wide * 0.2}" fill="url(#${id})"/><rect x="${x}" y="${top}" width="${wide}" height="${tall}" rx="${wide * 0.2}" fill="url(#${id}d)"/>${seams}`,
  }
}

/** Points of light out of focus. */
function bokeh(count, width, height, seed, colours, [least, most], top = 0, bottom = 1) {
  const random = randomOf(seed)
  return Array.from({ length: count }, () => {
    const [x, y, r] = [random() * width, (top + random() * (bottom - top)) * height, least + random() * (most - least)]
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours[Math.floor(random() * colours.length)]}" fill-opacity="${0.08 + random() * 0.3}"/>`
  }).join('')
}

async function hero() {
  const [w, h] = [1680, 1050]
  const back = [
    [560, 250, 15],
    [760, 235, 19],
    [990, 215, 25],
    [1260, 185, 36],
  ]
  const far = bag('far', 900, 360, 74, 290, { left: 0.15, right: 0.55 })
  const mid = bag('mid', 1085, 330, 128, 430, { left: 0.3, right: 0.85 })
  const near = bag('near', 1370, 250, 235, 690, { left: 0.55, right: 0.4, hue: '#ff6a26' })
  const floor = h * 0.76
  await photo(
    'hero',
    w,
    h,
    {
      defs: `${linear('wall', DOWN, [0, '#0b0807'], [0.5, '#2a170e'], [0.755, '#3a1d0f'], [0.765, '#1a100b'], [1, '#090605'])}`,
      inside: `<rect width="100%" height="100%" fill="url(#wall)"/>`,
    },
    [
      // The lit wall at the back, with its columns.
      plane(`<ellipse cx="1120" cy="520" rx="720" ry="330" fill="url(#back)"/>`, {
        blur: 60,
        blend: 'screen',
        defs: radial('back', '', [0, '#d4622a', 0.85], [0.6, '#7a3314', 0.35], [1, '#000', 0]),
      }),
      plane(
        [330, 620, 860, 1190, 1520]
          .map((x) => `<rect x="${x}" y="0" width="34" height="${floor}" fill="#0c0806" fill-opacity=".75"/>`)
          .join('') + `<rect x="0" y="120" width="${w}" height="16" fill="#0a0706" fill-opacity=".7"/>`,
        { blur: 7 },
      ),
      plane(back.map(([x, y, r]) => lampGlow(x, y, r, 620, 150 + r * 6)).join(''), { blur: 22, blend: 'screen', defs: LAMP }),
      plane(back.map(([x, y, r]) => lampBulb(x, y, r)).join(''), { blur: 4, blend: 'screen', defs: LAMP }),
      plane(back.map(([x, y, r]) => lampHood(x, y, r)).join(''), { blur: 3 }),
      plane(far.inside, { blur: 5, defs: far.defs }),
      plane(haze('s1', [1, 0.56, 0.28], '0.0022 0.004', 4, 0.5).inside, {
        blur: 14,
        blend: 'screen',
        defs: haze('s1', [1, 0.56, 0.28], '0.0022 0.004', 4, 0.5).defs,
      }),
      plane(mid.inside, { blur: 1.6, defs: mid.defs }),
      // The floor: wet concrete that reflects the lamps.
      plane(`<rect x="0" y="${floor}" width="${w}" height="${h - floor}" fill="url(#fl)"/>`, {
        blur: 2,
        defs: linear('fl', DOWN, [0, '#120a07', 0.2], [0.3, '#0b0706', 0.65], [1, '#050303', 0.95]),
      }),
      plane(
        back
          .map(([x, , r]) => `<ellipse cx="${x + 10}" cy="${floor + 90}" rx="${r * 2.4}" ry="120" fill="#ff8a45" fill-opacity=".34"/>`)
          .join('') + `<ellipse cx="1150" cy="${floor + 25}" rx="140" ry="20" fill="#000" fill-opacity=".8"/>`,
        { blur: 18, blend: 'screen' },
      ),
      plane(near.inside, { blur: 3.2, defs: near.defs }),
      plane(haze('s2', [1, 0.72, 0.5], '0.003 0.0055', 11, 0.3).inside, {
        blur: 20,
        blend: 'screen',
        defs: haze('s2', [1, 0.72, 0.5], '0.003 0.0055', 11, 0.3).defs,
      }),
      plane(bokeh(70, w, h, 3, ['#ffd9b0', '#ffa765', '#ff8440'], [0.8, 3.4], 0.1, 0.85), { blur: 1.2, blend: 'screen' }),
      plane(bokeh(14, w, h, 21, ['#ffb98a', '#ff8a4a'], [10, 30], 0.15, 0.8), { blur: 3, blend: 'screen' }),
    ],
    { seed: 5, vignette: 0.5 },
  )
}

async function box() {
  const [w, h] = [960, 720]
  const firstBag = bag('one', 470, 96, 250, 700, { left: 0.4, right: 0.95 })
  const two = bag('two', 120, 190, 120, 380, { left: 0.12, right: 0.5 })
  await photo(
    'box',
    w,
    h,
    {
      defs: radial('b', 'cx=".78" cy=".4" r=".8"', [0, '#b9501f'], [0.35, '#5a2711'], [1, '#0c0807']),
      inside: `<rect width="100%" height="100%" fill="url(#b)"/>`,
    },
    [
      plane(bokeh(16, w, h, 8, ['#ffcf9c', '#ff9a55', '#9be3ea'], [16, 46], 0.05, 0.6), { blur: 4, blend: 'screen' }),
      plane(two.inside, { blur: 7, defs: two.defs }),
      plane(haze('s', [1, 0.6, 0.32], '0.004 0.007', 6, 0.55).inside, {
        blur: 12,
        blend: 'screen',
        defs: haze('s', [1, 0.6, 0.32], '0.004 0.007', 6, 0.55).defs,
      }),
      plane(firstBag.inside, { blur: 0.8, defs: firstBag.defs }),
      plane(bokeh(60, w, h, 12, ['#ffe2c2', '#ffab6b'], [0.7, 2.6]), { blur: 0.8, blend: 'screen' }),
    ],
    { seed: 15 },
  )
}

async function strength() {
  const [w, h] = [960, 720]
  const ground = 560
  /** A plate seen from its edge, lit from behind on the side of the light. */
  const plate = (id, x, wide, tall, lit) => ({
    defs:
      linear(
        id,
        ACROSS,
        [0, lit < 0 ? '#ffb27a' : '#3a1d10'],
        [0.1, lit < 0 ? '#7a3a1b' : '#1a110d'],
        [0.5, '#0f0b09'],
        [0.88, lit > 0 ? '#7a3a1b' : '#140e0b'],
        [1, lit > 0 ? '#ffb27a' : '#3a1d10'],
      ) + linear(`${id}d`, DOWN, [0, '#ff9a5a', 0.35], [0.05, '#000', 0], [0.6, '#000', 0.25], [1, '#000', 0.8]),
    inside: `<rect x="${x}" y="${ground - tall}" width="${wide}" height="${tall}" rx="${wide * 0.26}" fill="url(#${id})"/><rect x="${x}" y="${ground - tall}" width="${wide}" height="${tall}" rx="${wide * 0.26}" fill="url(#${id}d)"/>`,
  })
  const axis = ground - 165
  const side = (prefix, from, lit) =>
    [
      plate(`${prefix}1`, from, 44, 330, lit),
      plate(`${prefix}2`, from + 48, 44, 330, lit),
      plate(`${prefix}3`, lit < 0 ? from - 34 : from + 96, 30, 236, lit),
    ].map((shape, at) => (at === 2 ? { ...shape, inside: `<g transform="translate(0 ${-(330 - 236) / 2})">${shape.inside}</g>` } : shape))
  const all = [...side('l', 178, 1), ...side('r', 730, -1)]
  const bar = `<rect x="70" y="${axis - 9}" width="820" height="18" rx="4" fill="url(#bar)"/><rect x="285" y="${axis - 16}" width="20" height="32" rx="5" fill="url(#bar)"/><rect x="700" y="${axis - 16}" width="20" height="32" rx="5" fill="url(#bar)"/>`
  const defs =
    all.map((shape) => shape.defs).join('') +
    linear('bar', DOWN, [0, '#120c09'], [0.18, '#ffc08c'], [0.4, '#70391d'], [0.75, '#17100c'], [1, '#0a0706'])
  const barbell = bar + all.map((shape) => shape.inside).join('')
  const chalk = haze(
    'c',
    [1, 0.8, 0.64],
    '0.0045 0.006',
    9,
    0.62,
    `<radialGradient id="cm" cx=".5" cy=".42" r=".5"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#000"/></radialGradient><rect width="100%" height="100%" fill="url(#cm)"/>`,
  )
  await photo(
    'fuerza',
    w,
    h,
    {
      defs: linear('b', DOWN, [0, '#0c0807'], [0.55, '#2c150b'], [0.775, '#47220f'], [0.78, '#1b100b'], [1, '#080504']),
      inside: `<rect width="100%" height="100%" fill="url(#b)"/>`,
    },
    [
      plane(`<ellipse cx="510" cy="330" rx="330" ry="230" fill="#e8702f" fill-opacity=".75"/>`, { blur: 75, blend: 'screen' }),
      plane(
        `<circle cx="512" cy="150" r="46" fill="#ffe6c4"/><circle cx="300" cy="120" r="20" fill="#ffc488" fill-opacity=".8"/><circle cx="742" cy="112" r="24" fill="#ffc488" fill-opacity=".7"/>`,
        { blur: 9, blend: 'screen' },
      ),
      plane(`<polygon points="480,150 544,150 820,600 204,600" fill="url(#cone)"/>`, { blur: 26, blend: 'screen', defs: LAMP }),
      plane(chalk.inside, { blur: 6, blend: 'screen', defs: chalk.defs }),
      plane(`<g transform="translate(0 ${2 * ground}) scale(1 -1)">${barbell}</g>`, { blur: 9, defs }),
      plane(`<rect x="0" y="${ground}" width="${w}" height="${h - ground}" fill="url(#f)"/>`, {
        blur: 1,
        defs: linear('f', DOWN, [0, '#0c0705', 0.5], [1, '#060403', 0.97]),
      }),
      plane(barbell, { blur: 0.8, defs }),
      plane(bokeh(130, w, h, 44, ['#fff1e2', '#ffd2ac'], [0.6, 2.3], 0.1, 0.75), { blur: 0.7, blend: 'screen' }),
    ],
    { seed: 25 },
  )
}

async function cycle() {
  const [w, h] = [960, 720]
  const random = randomOf(77)
  const arcs = Array.from({ length: 130 }, () => {
    const r = 60 + random() * 420
    const [from, long] = [random() * 360, 20 + random() * 130]
    const colour = ['#ff6a26', '#ff8f4d', '#ffc48f', '#9be3ea', '#ff5210'][Math.floor(random() * 5)]
    const length = (2 * Math.PI * r * long) / 360
    return `<circle r="${r}" fill="none" stroke="${colour}" stroke-opacity="${0.12 + random() * 0.5}" stroke-width="${0.8 + random() * 5}" stroke-linecap="round" stroke-dasharray="${length} ${10 * r}" transform="rotate(${from})"/>`
  }).join('')
  const wheel = (inside) => `<g transform="translate(560 380) skewX(-8) scale(1 .94)">${inside}</g>`
  await photo(
    'ciclo',
    w,
    h,
    {
      defs: radial('b', 'cx=".58" cy=".52" r=".8"', [0, '#3a190b'], [0.5, '#140b08'], [1, '#060404']),
      inside: `<rect width="100%" height="100%" fill="url(#b)"/>`,
    },
    [
      plane(wheel(arcs), { blur: 12, blend: 'screen' }),
      plane(wheel(arcs), { blur: 1, blend: 'screen' }),
      plane(wheel(`<circle r="60" fill="#ff8a45" fill-opacity=".5"/>`), { blur: 26, blend: 'screen' }),
      plane(haze('s', [1, 0.5, 0.25], '0.003 0.005', 14, 0.35).inside, {
        blur: 14,
        blend: 'screen',
        defs: haze('s', [1, 0.5, 0.25], '0.003 0.005', 14, 0.35).defs,
      }),
      plane(bokeh(22, w, h, 52, ['#ffd2a2', '#ff8a45'], [6, 24]), { blur: 3, blend: 'screen' }),
    ],
    { seed: 35 },
  )
}

for (const render of [hero, box, strength, cycle]) await render()
