// What Amara Osei wrote: a night nurse with an allotment. Only data.
import type { SeedPost } from './people.ts'

export const AMARA_POSTS: SeedPost[] = [
  {
    author: 'amara',
    title: 'The ward at four in the morning',
    daysAgo: 2.3,
    scene: 'windows',
    type: 'jpeg',
    likedBy: ['tobias', 'wiebke', 'noor', 'pia'],
    content: `<p>There is an hour that belongs to nobody. The evening people have stopped pretending they will sleep, the early people have not begun, and the building hums to itself like someone washing up in another room.</p>
<p>I walk the corridor slowly then. Not because I am tired, though I am, but because a slow walk sounds different from a fast one, and everybody lying awake can hear which it is. A fast walk means something has happened. A slow walk means that somebody is about, and that for now this is enough.</p>
<h2>What people ask for</h2>
<p>By day they ask for medicine, for news, for the doctor. At four they ask for smaller things:</p>
<ul><li>to have the window opened as far as the window goes, which is eleven centimetres;</li><li>to be told what day it is, and then to be told again;</li><li>for the lamp on, but turned to the wall.</li></ul>
<p>The last one is the most common. Nobody wants to be looked at by a lamp. They want to know that it is there.</p>
<blockquote><p>You needn't stay, a man told me once. Just walk past now and then, so I can hear you not staying.</p></blockquote>
<p>I have thought about that sentence for six years. It is the best description of the work that I know, and he made it up on the spot, with his eyes shut.</p>`,
  },
  {
    author: 'amara',
    title: 'Beans do not read the packet',
    daysAgo: 19.6,
    scene: 'garden',
    type: 'jpeg',
    likedBy: ['pia', 'wiebke'],
    content: `<p>The packet says to sow in May, two centimetres deep, twenty apart. I sowed in April, somewhere between one knuckle and two, as far apart as a hand that was also holding a cup of tea. We shall see who is right.</p>
<p>My neighbour on the allotment, Mr Pettifer, keeps records. He has a ledger with the first frost of every year since 1988 in it, and a column headed <em>Remarks</em> in which the word "disappointing" appears in three colours of ink. His beans are better than mine. I want to be clear about that before I go on.</p>
<h2>A short table of evidence</h2>
<table><thead><tr><th scope="col">Row</th><th scope="col">Sown</th><th scope="col">Method</th><th scope="col">Up</th></tr></thead><tbody><tr><td>1</td><td>12 April</td><td>hope</td><td>9 of 20</td></tr><tr><td>2</td><td>3 May</td><td>the packet</td><td>17 of 20</td></tr><tr><td>3</td><td>3 May</td><td>the packet, and talking to them</td><td>17 of 20</td></tr></tbody></table>
<p>You will notice that talking made no difference. I noticed it as well, and have gone on talking, since it turns out that I was not doing it for the beans.</p>
<p>Mr Pettifer read the table over my shoulder, went away, and came back with nine spare seedlings in a seed tray. "Don't write that down," he said.</p>`,
  },
  {
    author: 'amara',
    title: 'On being handed a baby',
    daysAgo: 41.2,
    scene: 'lamp',
    type: 'png',
    likedBy: ['noor', 'pia', 'tobias', 'wiebke', 'amara'],
    content: `<p>Nobody tells you about the weight. It is not heavy. It is exact. A new person weighs precisely as much as your arm had been expecting, without ever having mentioned it to you.</p>
<p>My sister handed him over as if passing a dish across a table. "Mind his head," she said, and went to sleep sitting up. So there we were: a man of nine hours, and I, who had been awake for twenty.</p>
<p>I told him where things were. The window is over there. That noise is a lorry. This is a lamp; you will like lamps. I did not tell him about the news, or about teeth.</p>
<p>He listened with his whole face. Then he yawned so hugely that it seemed to surprise him, and closed the discussion.</p>`,
  },
  {
    author: 'amara',
    title: 'A recipe for people who have just come off a night shift',
    daysAgo: 73.9,
    scene: 'table',
    type: 'jpeg',
    likedBy: ['tobias'],
    content: `<p>You are not hungry. You are not anything. But you have to eat before you sleep, or you will wake at noon with a headache and blame the wrong person for it.</p>
<h2>You need</h2>
<ul><li>one egg, or two if somebody thanked you tonight</li><li>bread that is already sliced, because of the knife</li><li>an onion you cut yesterday, when you were cleverer</li><li>butter, salt, a pan</li></ul>
<h2>You do</h2>
<ol><li>Put the pan on low. Lower than that.</li><li>Butter, then onion. Look out of the window until it smells of something.</li><li>Egg. Do not stir. You have made enough decisions.</li><li>Bread on top of the egg, like a lid. Turn the whole thing over with confidence.</li><li>Eat it standing up, out of the pan, with your coat on.</li></ol>
<p>Washing up is for the afternoon person. She is very capable. Leave her a note if you like.</p>`,
  },
  {
    author: 'amara',
    title: 'Things the compost has taught me',
    daysAgo: 118.5,
    scene: 'hills',
    type: 'jpeg',
    likedBy: ['pia'],
    content: `<p>The compost heap is the only part of my life in which doing nothing counts as a step.</p>
<p>It likes a mixture. All grass and it sulks, all twigs and it ignores you. A little of everything, somewhat damp, turned over when you remember: that is the entire method, and I have begun to suspect that it applies elsewhere.</p>
<h3>Heat</h3>
<p>In the second week you can put your hand in and feel it working. It is as warm as a cat. Nobody lit it. It simply found that it had enough of what it needed in one place.</p>
<h3>Time</h3>
<p>Then it goes cold and you think you have spoilt it. You have not. This is the long part, done by creatures too small to be seen and too many to be thanked. Go in. Read a book. In spring you lift the lid, and where there were eggshells and bad news there is earth.</p>`,
  },
  {
    author: 'amara',
    title: 'Letter I am not sure about',
    daysAgo: 6.1,
    scene: 'rain',
    type: 'png',
    isInactive: true,
    likedBy: [],
    content: `<p>Dear Mr Pettifer, I hear that you are giving up the plot. I found it out from the committee's notice, between the item on hosepipes and the item on the missing rake.</p>
<p>I had meant to say that the ledger ought to go somewhere. I mean that I would like it. I mean that I should like you to keep writing in it, and that if the walk is too far now, I have a car, and the passenger seat goes back a long way.</p>
<p><em>Not finished. Ask him first, like a normal person.</em></p>`,
  },
]
