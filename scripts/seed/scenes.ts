// Draws the pictures of a seeded blog: small scenes in petrol, butter and persimmon, made of a few
// shapes and a little chance. Every scene is a function from its own dice to SVG; the same seed
// gives the same picture. Knows nothing of posts.
import {
  BUTTER,
  CREAM,
  type Dice,
  disc,
  glow,
  HEIGHT,
  makeDice,
  NIGHT,
  PERSIMMON,
  PETROL,
  PLUM,
  r,
  rect,
  ridge,
  shape,
  sky,
  stars,
  stroke,
  TEAL,
  times,
  WIDTH,
} from './brush.ts'

const SCENES = {
  windows,
  garden,
  lamp,
  table,
  hills,
  rain,
  clock,
  library,
  harbour,
  sea,
  mountains,
  arches,
  tiles,
  map,
  train,
}
export type SceneName = keyof typeof SCENES

/**
 * @param shift 0 to 1, moves what moves in a scene: frames of an animation take it apart
 * @returns a whole SVG of 1600 by 900
 */
export function drawScene(name: SceneName, seed: number, shift = 0): string {
  const body = SCENES[name](makeDice(seed), shift)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${body}</svg>`
}

function hills(dice: Dice, shift: number): string {
  const isEvening = dice.chance(0.5)
  const [x, y] = [dice.between(250, 1350), dice.between(150, 320) + shift * 20]
  const greens = isEvening
    ? ['#3b6f6d', '#27585c', '#173f48', '#0d2b34']
    : ['#7fa38a', '#55877b', '#346a69', '#1d4c53']
  return [
    isEvening ? sky('#143c4a', '#f0b878') : sky('#9cc3bf', '#f6e6b8'),
    glow(x, y, 260),
    disc(x, y, 62, isEvening ? CREAM : '#fff6d8'),
    ...greens.map((fill, index) => ridge(dice, 430 + index * 115, 60 - index * 8, fill)),
    stroke(
      `M${r(dice.between(500, 900))},${HEIGHT} C700,780 980,760 ${r(dice.between(820, 1000))},600`,
      BUTTER,
      10,
      'opacity="0.55"',
    ),
    times(14, () => {
      const [tx, ty] = [dice.between(0, WIDTH), dice.between(690, 860)]
      return (
        stroke(`M${r(tx)},${r(ty)} v-34`, '#0b2530', 5) +
        disc(tx, ty - 48, dice.between(18, 34), '#0f3a40')
      )
    }),
  ].join('')
}

function mountains(dice: Dice): string {
  const peak = (x: number, top: number, half: number, fill: string): string =>
    shape(`M${r(x - half)},760 L${r(x)},${r(top)} L${r(x + half)},760 Z`, fill) +
    shape(
      `M${r(x)},${r(top)} l${r(-half * 0.22)},${r((760 - top) * 0.22)} l${r(half * 0.13)},-14 l${r(half * 0.1)},22 l${r(half * 0.12)},-26 l${r(half * 0.09)},18 Z`,
      CREAM,
      'opacity="0.9"',
    )
  return [
    sky('#2a6470', '#f3d6a0'),
    glow(dice.between(300, 1300), 260, 220),
    times(4, (index) =>
      peak(
        150 + index * 430 + dice.between(-60, 60),
        dice.between(190, 340),
        dice.between(300, 420),
        index % 2 ? '#2b5f69' : '#1f4d58',
      ),
    ),
    rect(0, 740, WIDTH, 160, '#17424d'),
    times(26, () =>
      rect(
        dice.between(0, WIDTH),
        dice.between(750, 890),
        dice.between(40, 200),
        3,
        BUTTER,
        `opacity="${r(dice.between(0.1, 0.5))}"`,
      ),
    ),
    times(9, () =>
      shape(
        `M${r(dice.between(0, WIDTH))},${r(dice.between(90, 240))} q60,-46 120,0 q60,-30 96,14 q20,26 -40,26 h-160 q-50,-6 -16,-40 Z`,
        CREAM,
        'opacity="0.35"',
      ),
    ),
  ].join('')
}

function sea(dice: Dice, shift: number): string {
  const horizon = dice.between(330, 430)
  return [
    sky('#b9c9c0', '#e9ddba'),
    disc(dice.between(300, 1300), horizon - dice.between(20, 120), 70, '#fbf3d6', 0.9),
    rect(0, horizon, WIDTH, HEIGHT, '#4f8587'),
    times(12, (index) => {
      const y = horizon + 20 + index * index * 3.6
      const lean = Math.sin(index + shift * 6.3) * 40
      return stroke(
        `M-60,${r(y)} q${r(130 + lean)},${r(-16 - index)} 260,0 t260,0 t260,0 t260,0 t260,0 t260,0 t260,0`,
        index % 3 ? '#3b7175' : '#a5c4b7',
        3 + index * 0.9,
        'opacity="0.8"',
      )
    }),
    shape(
      `M${r(dice.between(300, 1000))},${r(horizon + 190)} l150,0 l-22,44 l-106,0 Z m70,-8 l0,-150 l74,140 Z m-8,0 l0,-120 l-54,116 Z`,
      PLUM,
    ),
    shape('M1240,900 q10,-120 70,-130 q60,10 70,130 Z', PERSIMMON),
    stroke('M1310,770 v-70', '#37222c', 8),
    disc(1310, 690, 14, BUTTER),
  ].join('')
}

function harbour(dice: Dice): string {
  const house = (x: number): string => {
    const [width, height] = [dice.between(110, 170), dice.between(210, 390)]
    const fill = dice.pick(['#c9603f', '#e3b565', '#2d6a73', '#d8cfae', '#7d4f5a'] as const)
    const windows = times(6, (index) =>
      rect(
        x + 22 + (index % 2) * (width - 76),
        640 - height + 60 + Math.floor(index / 2) * 74,
        32,
        44,
        dice.chance(0.55) ? BUTTER : '#17343d',
      ),
    )
    return (
      rect(x, 640 - height, width, height, fill) +
      shape(
        `M${r(x - 10)},${r(640 - height)} h${r(width + 20)} l${r(-width / 2 - 10)},-70 Z`,
        '#3d2a33',
      ) +
      windows
    )
  }
  return [
    sky('#1b4b58', '#f1c58c'),
    stars(dice, 30, 200),
    times(10, (index) => house(index * 164 - 20 + dice.between(-6, 6))),
    rect(0, 640, WIDTH, 30, '#0e2b34'),
    rect(0, 670, WIDTH, 230, '#1d5561'),
    times(60, () =>
      rect(
        dice.between(0, WIDTH),
        dice.between(680, 890),
        dice.between(20, 90),
        4,
        dice.pick([BUTTER, PERSIMMON, TEAL]),
        `opacity="${r(dice.between(0.2, 0.7))}"`,
      ),
    ),
    shape(
      `M${r(dice.between(200, 900))},720 h340 l-40,66 h-260 Z m60,0 v-70 h170 v70 Z m60,-70 v-50 h26 v50 Z`,
      '#f0ead2',
    ),
  ].join('')
}

function windows(dice: Dice): string {
  const lit = Math.floor(dice.between(4, 40))
  return [
    sky('#0a1f28', '#15404c'),
    stars(dice, 50, 160),
    rect(180, 120, 1240, 780, '#0f3440'),
    times(50, (index) => {
      const [x, y] = [240 + (index % 10) * 116, 175 + Math.floor(index / 10) * 138]
      const isLit = index === lit || dice.chance(0.12)
      const lamp = isLit
        ? disc(x + 58, y + 50, 12, PERSIMMON) + rect(x + 55, y + 60, 6, 30, PERSIMMON)
        : ''
      return (
        (isLit ? glow(x + 38, y + 45, 90) : '') +
        rect(x, y, 76, 92, isLit ? BUTTER : '#184551', 'rx="4"') +
        lamp
      )
    }),
  ].join('')
}

function lamp(dice: Dice): string {
  const x = dice.between(560, 1040)
  return [
    sky('#0b2630', '#1b5560'),
    glow(x, 470, 520),
    shape(
      `M${r(x - 60)},390 L${r(x - 420)},900 H${r(x + 420)} L${r(x + 60)},390 Z`,
      BUTTER,
      'opacity="0.16"',
    ),
    shape(
      `M${r(x - 70)},270 h140 l80,150 h-300 Z`,
      dice.pick([PERSIMMON, BUTTER, '#d8cfae'] as const),
    ),
    stroke(`M${r(x)},420 v300`, '#e8d9ae', 14),
    rect(0, 720, WIDTH, 180, '#3f2a2b'),
    shape(`M${r(x - 110)},720 q110,-50 220,0 Z`, '#e8d9ae'),
    times(5, (index) =>
      rect(
        x + dice.between(160, 190) + index * 10,
        704 - index * 26,
        dice.between(210, 280),
        24,
        dice.pick([TEAL, PLUM, CREAM, PERSIMMON] as const),
        'rx="3"',
      ),
    ),
    disc(x - 330, 690, 44, '#d8e0d0'),
    rect(x - 374, 690, 88, 34, '#d8e0d0', 'rx="10"'),
  ].join('')
}

function table(dice: Dice): string {
  const thing = (x: number, y: number): string =>
    dice.pick([
      () =>
        disc(x, y, 92, CREAM) +
        disc(x, y, 66, '#e9dcb4') +
        disc(x + 12, y - 8, 30, '#f0a845') +
        disc(x + 12, y - 8, 46, '#fff', 0.35),
      () =>
        disc(x, y, 66, '#d9ded2') +
        disc(x, y, 50, '#4a2d22') +
        stroke(`M${r(x + 62)},${r(y - 20)} q60,20 0,44`, '#d9ded2', 14),
      () =>
        `<ellipse cx="${r(x)}" cy="${r(y)}" rx="130" ry="78" fill="#c98f4e"/>${times(4, (index) => stroke(`M${r(x - 80 + index * 46)},${r(y - 42)} q26,40 0,82`, '#f0d39a', 8))}`,
      () => disc(x, y, 52, PERSIMMON) + stroke(`M${r(x)},${r(y - 48)} q8,-34 40,-36`, '#2f5c4a', 8),
      () =>
        rect(x - 80, y - 60, 160, 120, '#17424d', 'rx="6"') +
        rect(x - 68, y - 48, 136, 96, CREAM, 'rx="3"') +
        times(4, (line) => rect(x - 50, y - 30 + line * 20, 100 - line * 14, 4, '#8a9a94')),
    ] as const)()
  return [
    rect(0, 0, WIDTH, HEIGHT, dice.pick(['#8f5a3c', '#2a5d66', '#b98a54'] as const)),
    times(9, (index) =>
      stroke(
        `M0,${r(index * 108 + dice.between(0, 40))} q400,${r(dice.between(-14, 14))} 800,0 t800,0`,
        '#000',
        3,
        'opacity="0.13"',
      ),
    ),
    `<g transform="rotate(-6 800 450)">${rect(300, 120, 1000, 660, CREAM, 'opacity="0.85"')}${times(9, (index) => rect(300, 150 + index * 72, 1000, 12, PERSIMMON, 'opacity="0.35"'))}</g>`,
    times(6, (index) =>
      thing(
        360 + (index % 3) * 420 + dice.between(-50, 50),
        270 + Math.floor(index / 3) * 340 + dice.between(-40, 40),
      ),
    ),
  ].join('')
}

function garden(dice: Dice): string {
  return [
    sky('#a9cbbd', '#f4e9bf'),
    ridge(dice, 380, 40, '#7fa68c'),
    rect(0, 460, WIDTH, 440, '#6b4a38'),
    times(7, (row) =>
      times(20, (column) => {
        const [x, y, high] = [
          column * 86 + dice.between(-12, 12),
          520 + row * 58,
          dice.between(26, 90),
        ]
        const stem = stroke(
          `M${r(x)},${r(y)} q${r(dice.between(-12, 12))},${r(-high / 2)} 0,${r(-high)}`,
          '#2f6a4f',
          5,
        )
        return `${stem}<ellipse cx="${r(x - 14)}" cy="${r(y - high * 0.6)}" rx="18" ry="9" fill="#4c8a5f"/><ellipse cx="${r(x + 14)}" cy="${r(y - high * 0.8)}" rx="18" ry="9" fill="#5d9c6b"/>${dice.chance(0.2) ? disc(x, y - high - 8, 12, dice.pick([PERSIMMON, BUTTER, '#d9577a'])) : ''}`
      }),
    ),
    stroke('M1330,520 v-240 M1250,330 h160 M1250,300 q80,-60 160,0', '#4a3128', 14),
  ].join('')
}

function rain(dice: Dice, shift: number): string {
  return [
    sky('#2b4a55', '#6f8f90'),
    times(4, (index) =>
      ridge(
        dice,
        500 + index * 90,
        30,
        ['#54777b', '#3f6268', '#2b4c53', '#1b363d'][index] ?? NIGHT,
      ),
    ),
    times(170, () => {
      const [x, y] = [dice.between(-100, WIDTH), (dice.between(0, HEIGHT) + shift * 90) % HEIGHT]
      return stroke(
        `M${r(x)},${r(y)} l14,${r(dice.between(30, 64))}`,
        '#d5e3dd',
        2.4,
        `opacity="${r(dice.between(0.2, 0.7))}"`,
      )
    }),
    shape(
      'M640,640 a170,150 0 0 1 340,0 q-42,-30 -85,0 q-42,-30 -85,0 q-42,-30 -85,0 q-42,-30 -85,0 Z',
      PERSIMMON,
    ),
    stroke('M810,500 v300 q0,34 30,34 q28,0 28,-28', '#2a1c20', 9),
  ].join('')
}

function clock(dice: Dice, shift: number): string {
  const [x, y, radius] = [dice.between(620, 980), 450, 300]
  const hand = (turn: number, length: number, width: number, colour: string): string => {
    const angle = turn * 2 * Math.PI - Math.PI / 2
    return stroke(
      `M${r(x)},${r(y)} L${r(x + Math.cos(angle) * length)},${r(y + Math.sin(angle) * length)}`,
      colour,
      width,
    )
  }
  const hour = dice.between(0, 1)
  return [
    sky('#173f4b', '#0b2530'),
    times(40, () =>
      disc(
        dice.between(0, WIDTH),
        dice.between(0, HEIGHT),
        dice.between(6, 40),
        dice.pick([TEAL, PETROL, PLUM]),
        0.35,
      ),
    ),
    disc(x, y, radius + 34, '#8f6a35'),
    disc(x, y, radius, CREAM),
    times(60, (index) => {
      const [angle, isHour] = [(index / 60) * 2 * Math.PI, index % 5 === 0]
      const inner = radius - (isHour ? 46 : 24)
      return stroke(
        `M${r(x + Math.cos(angle) * inner)},${r(y + Math.sin(angle) * inner)} L${r(x + Math.cos(angle) * (radius - 12))},${r(y + Math.sin(angle) * (radius - 12))}`,
        NIGHT,
        isHour ? 10 : 4,
      )
    }),
    hand(hour, 160, 20, NIGHT),
    hand((hour * 12) % 1, 240, 12, NIGHT),
    hand(shift, 256, 5, PERSIMMON),
    disc(x, y, 20, PERSIMMON),
  ].join('')
}

function library(dice: Dice): string {
  const shelf = (y: number): string => {
    let books = ''
    for (let x = 40; x < WIDTH - 60; ) {
      const [width, height] = [dice.between(22, 62), dice.between(130, 194)]
      const fill = dice.pick([
        PETROL,
        TEAL,
        PERSIMMON,
        BUTTER,
        PLUM,
        '#c9b98a',
        '#2f5c4a',
        '#8d3f33',
      ] as const)
      books +=
        rect(x, y - height, width, height, fill, 'rx="3"') +
        rect(x + 4, y - height + 24, width - 8, 5, CREAM, 'opacity="0.6"')
      x += width + 3 + (dice.chance(0.09) ? dice.between(30, 90) : 0)
    }
    return books + rect(0, y, WIDTH, 20, '#4d3226')
  }
  return (
    rect(0, 0, WIDTH, HEIGHT, '#2b1d1a') +
    times(4, (index) => shelf(212 + index * 222)) +
    glow(dice.between(300, 1300), dice.between(100, 700), 420)
  )
}

function arches(dice: Dice): string {
  return [
    sky('#e9c58c', '#f6e7c4'),
    disc(dice.between(300, 1300), 200, 90, PERSIMMON),
    times(5, (index) => {
      const x = index * 330 - 20
      const door = `M${r(x + 60)},900 v-400 a105,130 0 0 1 210,0 v400 Z`
      return (
        rect(x, 260 + dice.between(-20, 20), 330, 640, index % 2 ? '#c77a4c' : '#d08a58') +
        shape(door, PETROL) +
        disc(x + 165, 700, 6, BUTTER) +
        (dice.chance(0.5)
          ? shape(`M${r(x + 110)},900 q55,-160 110,0 Z`, '#2f6a4f')
          : glow(x + 165, 640, 90))
      )
    }),
    times(22, (index) => shape(`M${r(index * 76)},262 l38,-44 l38,44 Z`, '#a85f38')),
  ].join('')
}

function tiles(dice: Dice): string {
  const size = 160
  const colours = [PETROL, TEAL, BUTTER, PERSIMMON, CREAM, PLUM] as const
  const tile = (x: number, y: number): string => {
    const [ground, ink] = [dice.pick(colours), dice.pick(colours)]
    const turn = dice.pick([0, 90, 180, 270] as const)
    const motif = dice.pick([
      `M0,0 h${size} a${size},${size} 0 0 1 -${size},${size} Z`,
      `M0,0 L${size},${size} L0,${size} Z`,
      `M0,80 a80,80 0 0 1 160,0 Z`,
    ] as const)
    return `<g transform="translate(${x} ${y}) rotate(${turn} 80 80)">${rect(0, 0, size, size, ground)}${shape(motif, ink)}${disc(80, 80, dice.between(6, 30), dice.pick(colours))}</g>`
  }
  return times(60, (index) => tile((index % 10) * size, Math.floor(index / 10) * size))
}

function map(dice: Dice): string {
  const [cx, cy] = [dice.between(400, 1200), dice.between(250, 650)]
  return [
    rect(0, 0, WIDTH, HEIGHT, '#efe6c8'),
    times(16, (index) => {
      const [rx, ry] = [90 + index * 62, 54 + index * 40]
      return `<ellipse cx="${r(cx + dice.between(-24, 24))}" cy="${r(cy + dice.between(-18, 18))}" rx="${rx}" ry="${ry}" fill="none" stroke="#b98a54" stroke-width="${index % 5 ? 2 : 4}" opacity="0.6" transform="rotate(${r(dice.between(-14, 14))} ${r(cx)} ${r(cy)})"/>`
    }),
    stroke(
      `M0,${r(dice.between(100, 800))} C400,${r(dice.between(0, 900))} 900,${r(dice.between(0, 900))} 1600,${r(dice.between(100, 800))}`,
      '#5d9aa0',
      26,
    ),
    stroke(
      `M${r(dice.between(0, 400))},900 C500,600 800,700 1000,400 S1400,200 1600,160`,
      PERSIMMON,
      8,
      'stroke-dasharray="26 18"',
    ),
    times(26, () =>
      rect(
        dice.between(40, 1540),
        dice.between(40, 840),
        dice.between(14, 34),
        dice.between(14, 28),
        '#5a4a3c',
      ),
    ),
    times(9, (index) =>
      stroke(`M${index * 200},0 V900 M0,${index * 200} H1600`, '#8fb3ad', 2, 'opacity="0.7"'),
    ),
  ].join('')
}

function train(dice: Dice, shift: number): string {
  const start = -500 + shift * 900
  return [
    sky('#071a22', '#2d6670'),
    stars(dice, 120),
    disc(1260, 190, 66, CREAM),
    ridge(dice, 560, 70, '#0f3540'),
    rect(0, 590, WIDTH, 34, '#091d25'),
    times(9, (index) =>
      shape(
        `M${index * 190 - 40},900 v-280 h190 v280 h-40 v-120 a55,70 0 0 0 -110,0 v120 Z`,
        '#0a222b',
      ),
    ),
    times(6, (car) => {
      const x = start + car * 262
      return (
        rect(x, 516, 250, 72, '#1f4d58', 'rx="10"') +
        times(6, (index) => rect(x + 18 + index * 38, 532, 26, 28, BUTTER)) +
        rect(x + 8, 640, 234, 6, BUTTER, 'opacity="0.25"')
      )
    }),
  ].join('')
}
